// tine-test: fn=pair
// CWE-476: a search finds nothing, and the result is used.
#include <string.h>

int bad(char c) {
    const char *at = strchr("abc", c);
    return *at; //~ ERROR null pointer dereference
}

int good(char c) {
    const char *at = strchr("abc", c);
    return at ? *at : 0;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
