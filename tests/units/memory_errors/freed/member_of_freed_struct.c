// tine-test: fn=pair
// CWE-416: the owner is freed before what it owns.
#include <stdlib.h>

struct owner {
    int *data;
    unsigned length;
};

int bad(unsigned n) {
    struct owner *o = malloc(sizeof *o);
    o->length = n % 3;
    o->data = malloc(8);
    free(o);
    free(o->data); //~ ERROR use after free
    return 0;
}

int good(unsigned n) {
    struct owner *o = malloc(sizeof *o);
    o->length = n % 3;
    o->data = malloc(8);
    free(o->data);
    free(o);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
