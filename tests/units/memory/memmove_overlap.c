// tine-test: program
// Moving bytes over themselves keeps their order, in both directions.
#include <string.h>
#include <tine.h>

int main(void) {
    unsigned char b[8] = {0};
    tine_symbolic(b + 2, 3, "b");               // . . x y z . . .
    memmove(b + 3, b + 2, 3);                   // . . x x y z . .
    memmove(b, b + 1, 5);                       // . x x y z z . .
    if (b[1] != b[2] || b[4] != b[5])
        return 1;                               //~ UNREACHABLE
    if (b[1] == 'k' && b[3] == 'e' && b[5] == 'y')      //~ COVERED
        tine_assert(b[0] != 0);                 //~ ERROR assertion failure
    return 0;
}
