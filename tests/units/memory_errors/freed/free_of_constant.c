// tine-test: fn=pair
// CWE-590: a string literal is freed.
#include <stdlib.h>
#include <string.h>

int bad(int k) {
    char *s = k == 31 ? (char *)"literal" : strdup("heap");
    free(s); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    char *s = strdup(k == 31 ? "literal" : "heap");
    free(s);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
