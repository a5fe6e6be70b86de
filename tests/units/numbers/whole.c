// tine-test: fn=whole input="p = 0x4d"
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

int whole(int *p) {
    if ((long)p == 77)
        abort(); //~ ERROR abort
    return 0;
}
