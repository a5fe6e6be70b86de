// tine-test: fn=pair
// CWE-127: a search backwards without a sentinel, and with one.
#include <stdlib.h>
#include <string.h>

int bad(char c) {
    char *p = malloc(4);
    memcpy(p, "abcd", 4);
    char *q = p + 3;
    while (*q != c) //~ ERROR out-of-bounds read
        q--;
    int at = (int)(q - p);
    free(p);
    return at;
}

int good(char c) {
    char *p = malloc(5);
    memcpy(p + 1, "abcd", 4);
    p[0] = c;
    char *q = p + 4;
    while (*q != c)
        q--;
    int at = (int)(q - p);
    free(p);
    return at;
}

int pair(int faulty, char c) { return faulty ? bad(c) : good(c); }
