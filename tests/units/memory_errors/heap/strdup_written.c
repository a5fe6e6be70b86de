// tine-test: fn=pair max-string=3 verdict=bounded reason=max-string
// CWE-122: a duplicated string has no room for a suffix.
#include <stdlib.h>
#include <string.h>

int bad(const char *s) {
    char *d = strdup(s);
    size_t n = strlen(d);
    d[n] = '!';
    d[n + 1] = 0; //~ ERROR out-of-bounds write
    free(d);
    return 0;
}

int good(const char *s) {
    char *d = strdup(s);
    size_t n = strlen(d);
    char *e = strndup(s, 2);
    d[n] = 0;
    e[strlen(e)] = 0;
    free(d);
    free(e);
    return 0;
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
