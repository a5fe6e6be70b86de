// tine-test: fn=f unnoticed
// What lies behind the start of an object cannot be freed.
#include <stdlib.h>
int f(char *p, unsigned s) {
    if (!p || s > 1)
        return 0;
    free(p + s); //~ ERROR invalid free
    return 0;
}
