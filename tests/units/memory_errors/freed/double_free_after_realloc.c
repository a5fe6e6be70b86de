// tine-test: fn=pair
// CWE-415: after `realloc` only the new pointer may be freed.
#include <stdlib.h>

int bad(int k) {
    char *p = malloc(8);
    char *q = realloc(p, k == 5 ? 4096 : 8);
    if (k == 5)
        free(p); //~ ERROR double free
    free(q);
    return 0;
}

int good(int k) {
    char *p = malloc(8);
    char *q = realloc(p, k == 5 ? 4096 : 8);
    free(q ? q : p);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
