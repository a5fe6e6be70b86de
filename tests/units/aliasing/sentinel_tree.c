// tine-test: fn=insert requires=is_tree ensures=stays_tree max-objects=4 max-elements=1 verdict=bounded
// A left-leaning red-black tree whose leaves are one node, which lies inside the tree itself: the pointers of its nodes lead
// there, and nowhere else into the tree.
#include <stdbool.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
    int key;
    bool red;
};

struct tree {
    struct node *root;
    struct node leaf;
};

/* Height in black nodes, or -1 if it is not such a tree. */
static int black_height(const struct tree *t, const struct node *n, long low, long high) {
    if (n == &t->leaf)
        return 0;
    if (!n || n->key <= low || n->key >= high)
        return -1;
    if (n->red && (n->left->red || n->right->red))
        return -1;
    if (n->right->red)
        return -1;
    int left = black_height(t, n->left, low, n->key);
    int right = black_height(t, n->right, n->key, high);
    if (left < 0 || left != right)
        return -1;
    return left + !n->red;
}

static bool is_well_formed(const struct tree *t) {
    if (!t || !t->root || t->leaf.red || t->root->red)
        return false;
    return black_height(t, t->root, -2147483649L, 2147483648L) >= 0;
}

/* Every pointer points to a node or to the leaf, before any of them is looked into. */
static bool has_links(const struct tree *t, const struct node *n, int depth) {
    if (n == &t->leaf)
        return true;
    return n && depth > 0 && n->left && n->right && has_links(t, n->left, depth - 1) &&
           has_links(t, n->right, depth - 1);
}

int is_tree(struct tree *t, int key) {
    (void)key;
    return t && t->root && has_links(t, t->root, 3) && is_well_formed(t);
}

int stays_tree(struct tree *t, int key) {
    (void)key;
    return is_well_formed(t);
}

static struct node *rotate_left(struct node *n) {
    struct node *up = n->right;
    n->right = up->left;
    up->left = n;
    up->red = n->red;
    n->red = true;
    return up;
}

static struct node *rotate_right(struct node *n) {
    struct node *up = n->left;
    n->left = up->right;
    up->right = n;
    up->red = n->red;
    n->red = true;
    return up;
}

static struct node *insert_below(struct tree *t, struct node *n, int key) {
    if (n == &t->leaf) {
        struct node *new = malloc(sizeof *new);
        *new = (struct node){&t->leaf, &t->leaf, key, true};
        return new;
    }
    if (key < n->key)
        n->left = insert_below(t, n->left, key);
    else if (key > n->key)
        n->right = insert_below(t, n->right, key);
    if (n->right->red && !n->left->red)
        n = rotate_left(n);
    if (n->left->red && n->left->left->red)
        n = rotate_right(n);
    if (n->left->red && n->right->red) {
        n->red = true;
        n->left->red = n->right->red = false;
    }
    return n;
}

void insert(struct tree *t, int key) {
    t->root = insert_below(t, t->root, key);
    t->root->red = false;
}
