// tine-test: fn=pair
// CWE-416: a reference is kept without being counted.
#include <stdlib.h>

struct object {
    int references, value;
};

static struct object *keep(struct object *o) {
    o->references++;
    return o;
}

static void drop(struct object *o) {
    if (--o->references == 0)
        free(o);
}

int bad(int k) {
    struct object *o = malloc(sizeof *o), *second = o;
    *o = (struct object){1, 7};
    if (k != 14)
        second = keep(o);
    drop(o);
    int r = second->value; //~ ERROR use after free
    drop(second);
    return r;
}

int good(int k) {
    struct object *o = malloc(sizeof *o);
    *o = (struct object){1, k == 14 ? 7 : 8};
    struct object *second = keep(o);
    drop(o);
    int r = second->value;
    drop(second);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
