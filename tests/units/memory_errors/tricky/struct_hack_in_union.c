// tine-test: fn=pair
// CWE-131: a tagged union is read by the members that all variants share. Only the tag decides what else is there.
#include <stdlib.h>

enum kind { LEAF, PAIR };
struct leaf {
    enum kind kind;
};
struct couple {
    enum kind kind;
    union tree *left, *right;
};
union tree {
    enum kind kind;
    struct leaf leaf;
    struct couple couple;
};

static union tree *leaf(void) {
    struct leaf *l = malloc(sizeof *l); /* less than the union */
    l->kind = LEAF;
    return (union tree *)l;
}

static int depth(const union tree *t, int check) {
    if (check && t->kind == LEAF)
        return 1;
    return 1 + (t->couple.left != NULL); //~ ERROR out-of-bounds read
}

static int run(int k, int check) {
    union tree *t = k == 20 ? leaf() : calloc(1, sizeof(struct couple));
    if (k != 20)
        t->kind = PAIR;
    int r = depth(t, check);
    free(t);
    return r;
}

int bad(int k) { return run(k, 0); }
int good(int k) { return run(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
