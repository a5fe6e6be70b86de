// tine-test: fn=handler
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

typedef void handler_t(int);
int handler(handler_t *h) {
    if (h == SIG_IGN)
        abort(); //~ ERROR abort
    return 0;
}
