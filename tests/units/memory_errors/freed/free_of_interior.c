// tine-test: fn=pair
// CWE-761: the pointer was moved before it is freed.
#include <stdlib.h>
#include <string.h>

int bad(char c) {
    char *s = strdup("abc");
    while (*s && *s != c)
        s++;
    int found = *s;
    free(s); //~ ERROR invalid free
    return found;
}

int good(char c) {
    char *s = strdup("abc"), *q = s;
    while (*q && *q != c)
        q++;
    int found = *q;
    q -= q - s; /* back to the start, by whatever way */
    free(q);
    return found;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
