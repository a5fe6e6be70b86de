// tine-test: fn=pair max-string=4
// CWE-121: the bound of `strncat` is the room that is left, without the terminator.
#include <string.h>

int bad(const char *s) {
    char line[6] = "ab";
    strncat(line, s, sizeof line - strlen(line)); //~ ERROR out-of-bounds write
    return line[0];
}

int good(const char *s) {
    char line[6] = "ab";
    strncat(line, s, sizeof line - strlen(line) - 1);
    return line[0];
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
