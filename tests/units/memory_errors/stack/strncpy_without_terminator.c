// tine-test: fn=pair max-string=5
// CWE-126: `strncpy` leaves no terminator, and `strlen` reads on. The twin uses at most the bytes that were written.
#include <string.h>

int bad(const char *s) {
    char name[4];
    strncpy(name, s, sizeof name);
    return (int)strlen(name); //~ ERROR out-of-bounds read
}

int good(const char *s) {
    char name[4];
    strncpy(name, s, sizeof name);
    return (int)strnlen(name, sizeof name);
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
