// A binary search tree. Removing a node with two children takes the next larger key up, but forgets that key's own
// right child.
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    signed char key;
};

struct root {
    struct tree *top;
    int n;
};

void init(struct root *r) {
    r->top = 0;
    r->n = 0;
}

void add(struct root *r, signed char key) {
    struct tree **p = &r->top;
    while (*p) {
        if ((*p)->key == key)
            return;
        p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    }
    *p = calloc(1, sizeof **p);
    (*p)->key = key;
    r->n++;
}

void del(struct root *r, signed char key) {
    struct tree **p = &r->top;
    while (*p && (*p)->key != key)
        p = key < (*p)->key ? &(*p)->left : &(*p)->right;
    struct tree *gone = *p;
    if (!gone)
        return;
    if (gone->left && gone->right) {
        struct tree **q = &gone->right;
        while ((*q)->left)
            q = &(*q)->left;
        struct tree *up = *q;
        gone->key = up->key;
#ifdef BUG
        *q = 0;
#else
        *q = up->right;
#endif
        gone = up;
    } else {
        *p = gone->left ? gone->left : gone->right;
    }
    free(gone);
    r->n--;
}

static int count(const struct tree *t) { return t ? 1 + count(t->left) + count(t->right) : 0; }

int ok(const struct root *r) { return count(r->top) == r->n; }
