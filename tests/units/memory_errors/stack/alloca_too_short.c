// tine-test: fn=pair max-string=3 verdict=bounded reason=max-string
// CWE-121: `alloca` without the byte for the terminator.
#include <alloca.h>
#include <string.h>

int bad(const char *s) {
    char *copy = alloca(strlen(s));
    strcpy(copy, s); //~ ERROR out-of-bounds write
    return copy[0];
}

int good(const char *s) {
    int r = 0;
    for (int i = 0; i < 2; i++) { /* both live until the function returns */
        char *copy = alloca(strlen(s) + 1);
        strcpy(copy, s);
        r += copy[strlen(s)];
    }
    return r;
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
