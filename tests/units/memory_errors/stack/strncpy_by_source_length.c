// tine-test: fn=pair max-string=6 verdict=bounded reason=max-string
// CWE-806: the bound of `strncpy` is the length of the source. The twin's is the room, and the rest is filled.
#include <string.h>

int bad(const char *s) {
    char to[4];
    strncpy(to, s, strlen(s) + 1); //~ ERROR out-of-bounds write
    return to[0];
}

int good(const char *s) {
    char to[4];
    strncpy(to, s, sizeof to);
    return to[3] == 0 ? to[0] : 1; /* all four bytes were set */
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
