// tine-test: fn=failed
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

/* As Linux tells errors: the last page holds no object. */
int failed(int *p) {
    if ((uintptr_t)p >= (uintptr_t)-4095 && -(long)p == 12)
        abort(); //~ ERROR abort
    return p && *p == 3;
}
