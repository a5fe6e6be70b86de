// tine-test: fn=pair
// CWE-121: a callee stores a `long` into the caller's `int`.
#include <string.h>

static void store(void *p, size_t n) {
    long x = -1;
    if (n == sizeof x)
        *(long *)p = x; //~ ERROR out-of-bounds write
    else
        memcpy(p, &x, n);
}

int bad(int k) {
    int i __attribute__((aligned(8))) = 0;
    store(&i, k == 1 ? sizeof(long) : sizeof i);
    return i;
}

int good(int k) {
    union {
        int i;
        long l;
    } u = {0};
    store(&u.i, k == 1 ? sizeof(long) : sizeof u.i);
    return u.i;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
