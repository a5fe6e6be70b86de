// tine-test: fn=pair unnoticed
// CWE-590: an array on the stack cannot grow.
#include <stdlib.h>
#include <string.h>

int bad(int k) {
    char local[8] = "abc", *p = local;
    if (k == 70)
        p = realloc(p, 16); //~ ERROR invalid free
    return p[0];
}

int good(int k) {
    char local[8] = "abc", *p = local;
    if (k == 70) {
        p = malloc(16);
        memcpy(p, local, sizeof local);
    }
    int r = p[0];
    if (p != local)
        free(p);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
