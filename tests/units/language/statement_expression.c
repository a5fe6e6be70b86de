// tine-test: fn=statement_expression
// Values of blocks, and cleanup when a scope is left.
#include <tine.h>

static int closed;

static void close_it(int *handle) { closed += *handle; }

int statement_expression(short x) {
    int larger = ({
        int twice = x * 2;
        twice > 100 ? twice : 100;
    });
    {
        __attribute__((cleanup(close_it))) int handle = x == 60 ? 5 : 1;
        if (larger == 120 && handle != 5)
            return -1;                      //~ UNREACHABLE
    }
    tine_assert(closed != 5);               //~ ERROR assertion failure
    return 0;
}
