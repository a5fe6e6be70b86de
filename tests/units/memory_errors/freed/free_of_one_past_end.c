// tine-test: fn=pair
// CWE-761: the end of one block may be the start of the next, but it cannot be freed through this pointer.
#include <stdlib.h>

int bad(int k) {
    char *p = malloc(16), *q = malloc(16);
    free(k == 3 ? p + 16 : p); //~ ERROR invalid free
    free(q);
    return 0;
}

int good(int k) {
    char *p = malloc(16), *q = malloc(16);
    free(k == 3 ? q : p);
    free(k == 3 ? p : q);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
