// tine-test: program paths=4
// A call of exit ends the run wherever it stands, and is not an error whatever the code.
#include <stdlib.h>
#include <tine.h>

static void leave(int x) {
    if (x == 1)                             //~ COVERED
        exit(0);
    if (x == 2)                             //~ COVERED
        exit(7);
    if (x == 3)                             //~ COVERED
        _Exit(1);
}

int main(void) {
    int x = tine_int("x");
    leave(x);
    if (x == 1 || x == 2 || x == 3)
        return 1;                           //~ UNREACHABLE
    return 0;
}
