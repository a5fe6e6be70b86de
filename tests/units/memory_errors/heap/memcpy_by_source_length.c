// tine-test: fn=pair max-string=6 verdict=bounded reason=max-string
// CWE-806: the length of the source decides how much is written to the destination.
#include <stdlib.h>
#include <string.h>

int bad(const char *s) {
    char *to = malloc(4);
    memcpy(to, s, strlen(s) + 1); //~ ERROR out-of-bounds write
    int r = to[0];
    free(to);
    return r;
}

int good(const char *s) {
    char *to = malloc(4);
    size_t n = strlen(s);
    if (n > 3)
        n = 3;
    memcpy(to, s, n);
    to[n] = 0;
    int r = to[0];
    free(to);
    return r;
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
