// tine-test: fn=pair
// CWE-415: the variable is released by its attribute as well.
#include <stdlib.h>

static void release(char **p) {
    free(*p); //~ ERROR double free
}

int bad(int k) {
    __attribute__((cleanup(release))) char *p = malloc(4);
    if (k == 11)
        free(p);
    return 0;
}

int good(int k) {
    for (int i = 0; i < 3; i++) {
        __attribute__((cleanup(release))) char *p = malloc(4);
        if (k == 11)
            break;
        p[0] = 1;
    }
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
