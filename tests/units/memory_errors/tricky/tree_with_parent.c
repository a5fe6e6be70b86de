// tine-test: fn=f
// Nodes whose colour is set late, and a pool that hands out the same node again.
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key;
    unsigned red : 1, seen : 1;
};

static struct node *unused;

static struct node *get(void) {
    struct node *n = unused;
    if (n)
        unused = n->left;
    else
        n = malloc(sizeof *n);
    return n;
}

static void give(struct node *n) {
    n->left = unused;
    unused = n;
}

static struct node *insert(struct node *at, struct node *n) {
    if (!at) {
        n->left = n->right = NULL;
        n->red = 1;
        return n;
    }
    if (n->key < at->key)
        at->left = insert(at->left, n);
    else
        at->right = insert(at->right, n);
    at->red = 0;
    return at;
}

int f(int a, int b) {
    struct node *root = NULL, *n;
    int keys[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (!(n = get()))
            return -1;
        n->key = keys[i];
        root = insert(root, n);
        n->seen = 0;
    }
    int r = root->left && root->left->red;
    if (root->left)
        give(root->left);
    if (root->right)
        give(root->right);
    give(root);
    n = get();
    n->key = 1;
    n->left = n->right = NULL;
    return r + (n->key == a);
}
