// tine-test: fn=pair sym-fail=alloc,1
// CWE-690: `malloc` may fail.
#include <stdlib.h>

int bad(int x) {
    int *p = malloc(sizeof *p);
    *p = x; //~ ERROR null pointer dereference
    int r = *p;
    free(p);
    return r;
}

int good(int x) {
    int *p = malloc(sizeof *p);
    if (!p)
        return -1;
    *p = x;
    int r = *p;
    free(p);
    return r;
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
