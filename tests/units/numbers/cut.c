// tine-test: fn=cut
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

int cut(void *data) {
    int n = (int)(long)data;
    if (n == 5)
        abort(); //~ ERROR abort
    return 0;
}
