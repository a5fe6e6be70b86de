// tine-test: fn=indexed
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

static char table[10] = "....x.....";
int indexed(void *data) {
    uintptr_t n = (uintptr_t)data;
    if (n < sizeof table && table[n] == 'x')
        abort(); //~ ERROR abort
    return 0;
}
