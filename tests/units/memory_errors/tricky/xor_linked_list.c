// tine-test: fn=pair
// CWE-416: a list whose links are the exclusive or of two addresses.
#include <stdint.h>
#include <stdlib.h>

struct node {
    uintptr_t both;
    int value;
};

static struct node *step(struct node *from, struct node *at) { return (struct node *)(at->both ^ (uintptr_t)from); }

static int run(int k, int early) {
    struct node *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
    a->both = (uintptr_t)b;
    b->both = (uintptr_t)a;
    a->value = 1;
    b->value = 2;
    struct node *second = step(NULL, a);
    if (k == 15 && early)
        free(b);
    int r = second->value; //~ ERROR use after free
    if (!(k == 15 && early))
        free(b);
    free(a);
    return r;
}

int bad(int k) { return run(k, 1); }
int good(int k) { return run(k, 0); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
