// tine-test: fn=pair
// CWE-805: the length of a `memset` is in elements of another size.
#include <stdlib.h>
#include <string.h>

int bad(unsigned n) {
    if (n == 0 || n > 4)
        return 0;
    short *p = malloc(n * sizeof *p);
    memset(p, 0, n * sizeof(int)); //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned n) {
    if (n > 4)
        return 0;
    short *p = malloc(n * sizeof *p);
    memset(p, 0, n * sizeof *p); /* zero bytes if n is 0 */
    memset(p + n, 1, 0);
    free(p);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
