// tine-test: fn=pair
// CWE-590: the address of a function is freed.
#include <stdlib.h>

static void none(void *p) { (void)p; }

struct owner {
    void *data;
    void (*release)(void *);
};

static void drop(struct owner *o) { o->release(o->data); }

int bad(int k) {
    struct owner o = {malloc(2), free};
    if (k == 1)
        free((void *)none); //~ ERROR invalid free
    free(o.data);
    return 0;
}

int good(int k) {
    static int fixed;
    struct owner heap = {malloc(2), free}, global = {&fixed, none};
    drop(&heap);
    if (k == 1)
        drop(&global);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
