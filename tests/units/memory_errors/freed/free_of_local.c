// tine-test: fn=pair unnoticed
// CWE-590: a buffer that is on the stack for short strings, and on the heap for long ones.
#include <stdlib.h>

static int run(unsigned n, int always) {
    char local[8], *p = n > sizeof local ? malloc(n) : local;
    p[0] = 1;
    if (always || p != local)
        free(p); //~ ERROR invalid free
    return 0;
}

int bad(unsigned n) { return n < 12 ? run(n, 1) : 0; }
int good(unsigned n) { return n < 12 ? run(n, 0) : 0; }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
