// tine-test: fn=pair
// CWE-122: a number has more digits than expected. The twin asks `snprintf` for the length first.
#include <stdio.h>
#include <stdlib.h>

int bad(unsigned n) {
    char *s = malloc(5);
    if (n < 20000)
        sprintf(s, "%u", n); //~ ERROR out-of-bounds write
    free(s);
    return 0;
}

int good(unsigned n) {
    if (n >= 20000)
        return 0;
    int length = snprintf(NULL, 0, "%u", n);
    char *s = malloc(length + 1);
    snprintf(s, length + 1, "%u", n);
    int r = s[length];
    free(s);
    return r;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
