// tine-test: fn=pair
// CWE-457: one member of a new structure is not set.
#include <stdlib.h>

struct account {
    int id, limit;
};

static struct account *make(int id, int complete) {
    struct account *a = malloc(sizeof *a);
    if (!a)
        return NULL;
    a->id = id;
    if (complete)
        a->limit = 3;
    return a;
}

static int use(int k, int complete) {
    struct account *a = make(k, complete);
    if (!a)
        return -1;
    int r = 0;
    if (k == 11 && a->limit > 2) //~ ERROR uninitialised read
        r = 1;
    free(a);
    return r;
}

int pair(int faulty, int k) { return use(k, !faulty); }
