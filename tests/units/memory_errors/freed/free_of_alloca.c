// tine-test: fn=pair
// CWE-762: memory of `alloca` is freed by returning.
#include <alloca.h>
#include <stdlib.h>

int bad(unsigned n) {
    if (n < 1 || n > 8)
        return 0;
    char *p = n > 4 ? malloc(n) : alloca(n);
    p[0] = 1;
    free(p); //~ ERROR invalid free
    return 0;
}

int good(unsigned n) {
    if (n < 1 || n > 8)
        return 0;
    char *heap = n > 4 ? malloc(n) : NULL, *p = heap ? heap : alloca(n);
    p[0] = 1;
    free(heap);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
