// tine-test: fn=pair
// CWE-415: the error path and the common end both free.
#include <stdlib.h>

int bad(int code) {
    char *p = malloc(8);
    if (code == 77)
        free(p);
    free(p); //~ ERROR double free
    return 0;
}

int good(int code) {
    char *p = malloc(8);
    if (code == 77) {
        free(p);
        p = NULL;
    }
    free(p); /* NULL may be freed */
    return 0;
}

int pair(int faulty, int code) { return faulty ? bad(code) : good(code); }
