// tine-test: fn=pair max-string=5 verdict=bounded reason=max-string
// CWE-121: a copied string that is one character too long.
#include <string.h>

int bad(const char *s) {
    char name[4];
    strcpy(name, s); //~ ERROR out-of-bounds write
    return name[0];
}

int good(const char *s) {
    char name[4];
    if (strlen(s) >= sizeof name)
        return 0;
    strcpy(name, s);
    return name[0];
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
