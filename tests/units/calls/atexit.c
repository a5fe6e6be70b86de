// tine-test: program
// What runs after main is part of the path.
#include <stdlib.h>
#include <tine.h>

static int x;

static void last(void) {
    if (x == 0x5eed)                        //~ COVERED
        tine_assert(x < 0);                 //~ ERROR assertion failure
}

int main(void) {
    if (atexit(last))
        return 1;
    x = tine_int("x");
    if (x > 0)                              //~ COVERED
        exit(3);
    return 0;
}
