// tine-test: fn=f unnoticed
// An address inside an object cannot be freed.
#include <stdlib.h>
int f(char *p, unsigned s) {
    if (!p || s > 1)
        return 0;
    free(p + s); //~ ERROR invalid free
    return 0;
}
