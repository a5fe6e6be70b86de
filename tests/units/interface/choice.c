// tine-test: program paths=12
// Every combination of choices is one path.
#include <tine.h>

int main(void) {
    unsigned a = tine_choice(3, "a");
    unsigned b = tine_choice(4, "b");
    unsigned one = tine_choice(1, "one");
    static const int table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    if (a >= 3u || b >= 4u || one != 0u)
        return 1;                           //~ UNREACHABLE
    tine_assert(table[a][b] != 7);          //~ ERROR assertion failure
    return 0;
}
