// tine-test: fn=pair max-string=3 verdict=bounded reason=max-string
// CWE-122: `malloc(strlen(s))` lacks the byte for the terminator.
#include <stdlib.h>
#include <string.h>

int bad(const char *s) {
    char *copy = malloc(strlen(s));
    strcpy(copy, s); //~ ERROR out-of-bounds write
    int r = copy[0];
    free(copy);
    return r;
}

int good(const char *s) {
    size_t n = strlen(s);
    char *copy = malloc(n);
    memcpy(copy, s, n); /* without the terminator, and never used as a string */
    int r = n ? copy[n - 1] : 0;
    free(copy);
    return r;
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
