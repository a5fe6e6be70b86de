// tine-test: fn=aligned_size unnoticed
// Aligned memory of a size that is an input: its alignment is exact, and so is its end.
#include <stdint.h>
#include <stdlib.h>
#include <tine.h>

int aligned_size(unsigned n, unsigned i) {
    tine_assume(n >= 1 && n <= 20 && i <= 20);
    char *a = aligned_alloc(64, n);
    void *b;
    if (!a || posix_memalign(&b, 32, n))
        exit(0);
    tine_assert((uintptr_t)a % 64 == 0 && (uintptr_t)b % 32 == 0);
    a[n - 1] = 1;
    ((char *)b)[i] = 1;                         //~ ERROR out-of-bounds write
    tine_assert(i < n);
    free(a);
    free(b);
    return 0;
}
