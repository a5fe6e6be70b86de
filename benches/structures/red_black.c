/* A red-black tree with parent pointers. Leaves are NULL and black. */
#include <stdbool.h>
#include <stddef.h>

struct node {
    struct node *left, *right, *parent;
    int key;
    bool is_red;
};

struct tree {
    struct node *root;
};

static bool is_red(const struct node *node) { return node && node->is_red; }

struct node *tree_find(const struct tree *tree, int key)
{
    struct node *node = tree->root;
    while (node && node->key != key) {
        if (key < node->key)
            node = node->left;
        else
            node = node->right;
    }
    return node;
}

/* Puts `new` where `old` is. */
static void replace(struct tree *tree, struct node *old, struct node *new)
{
    if (!old->parent)
        tree->root = new;
    else if (old->parent->left == old)
        old->parent->left = new;
    else
        old->parent->right = new;
#ifndef BUG_WRONG_PARENT
    if (new)
        new->parent = old->parent;
#else
    if (new && !new->parent)
        new->parent = old->parent;
#endif
}

/*     a            b
 *      \    →     /
 *       b        a        */
static void rotate_left(struct tree *tree, struct node *a)
{
    struct node *b = a->right;
    replace(tree, a, b);
    a->right = b->left;
    if (a->right)
        a->right->parent = a;
    b->left = a;
    a->parent = b;
}

static void rotate_right(struct tree *tree, struct node *a)
{
    struct node *b = a->left;
    replace(tree, a, b);
    a->left = b->right;
    if (a->left)
        a->left->parent = a;
    b->right = a;
    a->parent = b;
}

/* `node` is red, and its parent may be. */
static void insert_rebalance(struct tree *tree, struct node *node)
{
    while (is_red(node->parent)) {
        struct node *parent = node->parent, *above = parent->parent;
        bool on_left = false;
        if (parent == above->left)
            on_left = true;
        struct node *uncle = on_left ? above->right : above->left;
        if (is_red(uncle)) {
            parent->is_red = uncle->is_red = false;
            above->is_red = true;
#ifndef BUG_REBALANCE_STOPS
            node = above;
#else
            node = parent;
#endif
            continue;
        }
        if (on_left) {
            if (node == parent->right) {
                rotate_left(tree, parent);
                parent = node;
            }
            rotate_right(tree, above);
        } else {
            if (node == parent->left) {
                rotate_right(tree, parent);
                parent = node;
            }
            rotate_left(tree, above);
        }
        parent->is_red = false;
        above->is_red = true;
        break;
    }
    tree->root->is_red = false;
}

/* False if the key is there already. */
bool tree_insert(struct tree *tree, struct node *new)
{
    struct node *parent = NULL, *node = tree->root;
    bool on_left = false;
    while (node) {
        if (new->key == node->key)
            return false;
        parent = node;
        on_left = false;
        if (new->key < node->key)
            on_left = true;
        node = on_left ? node->left : node->right;
    }
    new->left = new->right = NULL;
    new->parent = parent;
    new->is_red = true;
    if (!parent)
        tree->root = new;
    else if (on_left)
        parent->left = new;
    else
        parent->right = new;
    insert_rebalance(tree, new);
    return true;
}

/* A black node is missing above `node`, a child of `parent`. */
static void delete_rebalance(struct tree *tree, struct node *node, struct node *parent)
{
    while (parent && !is_red(node)) {
        if (node == parent->left) {
            struct node *other = parent->right;
            if (other->is_red) {
                other->is_red = false;
                parent->is_red = true;
                rotate_left(tree, parent);
                other = parent->right;
            }
            if (!is_red(other->left) && !is_red(other->right)) {
                other->is_red = true;
                node = parent;
                parent = node->parent;
                continue;
            }
            if (!is_red(other->right)) {
                other->left->is_red = false;
                other->is_red = true;
                rotate_right(tree, other);
                other = parent->right;
            }
            other->is_red = parent->is_red;
            parent->is_red = other->right->is_red = false;
            rotate_left(tree, parent);
        } else {
            struct node *other = parent->left;
            if (other->is_red) {
                other->is_red = false;
                parent->is_red = true;
                rotate_right(tree, parent);
                other = parent->left;
            }
            if (!is_red(other->left) && !is_red(other->right)) {
                other->is_red = true;
                node = parent;
                parent = node->parent;
                continue;
            }
            if (!is_red(other->left)) {
                other->right->is_red = false;
                other->is_red = true;
                rotate_left(tree, other);
                other = parent->left;
            }
            other->is_red = parent->is_red;
#ifndef BUG_COLOUR_LOST
            parent->is_red = other->left->is_red = false;
#else
            parent->is_red = false;
#endif
            rotate_right(tree, parent);
        }
        return;
    }
    if (node)
        node->is_red = false;
}

void tree_delete(struct tree *tree, struct node *old)
{
    struct node *child, *parent;
    bool was_red = old->is_red;
    if (!old->left || !old->right) {
        child = old->left;
        if (!child)
            child = old->right;
        parent = old->parent;
        replace(tree, old, child);
    } else {
        struct node *next = old->right;
        while (next->left)
            next = next->left;
        was_red = next->is_red;
        child = next->right;
        parent = next;
        if (next->parent != old) {
            parent = next->parent;
            replace(tree, next, child);
            next->right = old->right;
            next->right->parent = next;
        }
        replace(tree, old, next);
        next->left = old->left;
        next->left->parent = next;
        next->is_red = old->is_red;
    }
    if (!was_red)
        delete_rebalance(tree, child, parent);
}
