// tine-test: fn=pair check=+leak sym-fail=alloc,1
// CWE-401: `p = realloc(p, n)` loses the block when realloc fails.
#include <stdlib.h>

static int both(int faulty) {
    char *p = malloc(8); //~ ERROR memory leak
    if (!p)
        return -1;
    if (faulty) {
        p = realloc(p, 64);
        if (!p)
            return -1;
    } else {
        char *q = realloc(p, 64);
        if (!q) {
            free(p);
            return -1;
        }
        p = q;
    }
    free(p);
    return 0;
}

int pair(int faulty) { return both(faulty != 0); }
