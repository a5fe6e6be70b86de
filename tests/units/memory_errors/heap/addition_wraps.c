// tine-test: fn=pair verdict=incomplete reason="length depends on the input"
// CWE-680: two lengths are added in a type that is too small.
#include <stdlib.h>
#include <string.h>

int bad(unsigned char a, unsigned char b) {
    unsigned char total = a + b;
    char *p = malloc(total);
    memset(p, 1, a); //~ ERROR out-of-bounds write
    free(p);
    return 0;
}

int good(unsigned char a, unsigned char b) {
    unsigned total = a + b;
    char *p = malloc(total);
    memset(p, 1, a);
    free(p);
    return 0;
}

int pair(int faulty, unsigned char a, unsigned char b) {
    return (a & 63) || (b & 63) ? 0 : faulty ? bad(a, b) : good(a, b);
}
