// tine-test: fn=pair max-string=5
// CWE-120: a string input is copied into a static buffer.
#include <string.h>

static char name[4];

int bad(const char *s) {
    strcpy(name, s); //~ ERROR out-of-bounds write
    return name[0];
}

int good(const char *s) {
    name[0] = 0;
    strncat(name, s, sizeof name - 1);
    return name[0];
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
