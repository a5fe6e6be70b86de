// tine-test: program paths=3
// Functions that never return, and a branch that only they end.
#include <stdlib.h>
#include <tine.h>

static _Noreturn void stop(int code) {
    if (code > 100)                         //~ COVERED
        exit(1);
    exit(0);
}

int main(void) {
    int x = tine_int("x");
    if (x > 50)                             //~ COVERED
        stop(x);
    if (x == 60)
        return 1;                           //~ UNREACHABLE
    return 0;
}
