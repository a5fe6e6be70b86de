// tine-test: fn=pair
// CWE-415: an object that is an input may be freed, but once.
#include <stdlib.h>

int bad(int *p, int k) {
    free(p);
    if (k == 33)
        free(p); //~ ERROR double free
    return 0;
}

int good(int *p, int k) {
    int r = p ? *p : 0;
    free(p);
    return k == 33 ? r : 0;
}

int pair(int faulty, int *p, int k) { return faulty ? bad(p, k) : good(p, k); }
