// tine-test: fn=pair
// CWE-761: an address that was aligned by hand is freed. The twin keeps the original in front of it.
#include <stdint.h>
#include <stdlib.h>

static void *align_by_hand(size_t n, void **raw) {
    *raw = malloc(n + 63);
    return (void *)(((uintptr_t)*raw + 63) & ~(uintptr_t)63);
}

int bad(int k) {
    void *raw;
    char *p = align_by_hand(8, &raw);
    p[7] = 1;
    free(k == 6 && p != raw ? p : raw); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    void *raw;
    char *p = align_by_hand(8, &raw);
    p[7] = (char)k;
    free(raw);
    return ((uintptr_t)p & 63) != 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
