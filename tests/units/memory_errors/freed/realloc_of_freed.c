// tine-test: fn=pair
// CWE-415: a freed block cannot be resized. `realloc(NULL, n)` is `malloc(n)`.
#include <stdlib.h>

int bad(int k) {
    char *p = malloc(8);
    if (k == 50)
        free(p);
    p = realloc(p, 16); //~ ERROR double free
    free(p);
    return 0;
}

int good(int k) {
    char *p = malloc(8);
    if (k == 50) {
        free(p);
        p = NULL;
    }
    p = realloc(p, 16);
    p[15] = 1;
    free(p);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
