// tine-test: fn=pair
// CWE-762: memory of a pool goes back to the pool, not to `free`.
#include <stdlib.h>

static long slots[4];
static unsigned used;

static void *get(void) { return used < 4 ? &slots[used++] : malloc(sizeof(long)); }

static void put(void *p) {
    if ((long *)p >= slots && (long *)p < slots + 4)
        used--;
    else
        free(p);
}

int bad(unsigned n) {
    used = n % 8;
    long *p = get();
    *p = 1;
    free(p); //~ ERROR invalid free
    return 0;
}

int good(unsigned n) {
    used = n % 8;
    long *p = get();
    *p = 1;
    put(p);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
