// tine-test: fn=masked
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

int masked(int *p) {
    if (((uintptr_t)p & 1) && (intptr_t)p >> 1 == -20)
        abort(); //~ ERROR abort
    return 0;
}
