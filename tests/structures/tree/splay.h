/* A splay tree of sys/tree.h: a search tree of any shape. */
#include <stddef.h>

#include <bsd/sys/tree.h>
#include <tine.h>

struct node {
    SPLAY_ENTRY(node) link;
    int key;
};
SPLAY_HEAD(tree, node);

static int compare(const struct node *a, const struct node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Keys lie between those of `low` and `high`; which also keeps nodes from being there twice. */
static int is_between(const struct node *node, const struct node *low, const struct node *high)
{
    return !node || ((!low || low->key < node->key) && (!high || node->key < high->key) &&
                     is_between(SPLAY_LEFT(node, link), low, node) && is_between(SPLAY_RIGHT(node, link), node, high));
}

static int is_tree(const struct tree *tree) { return is_between(SPLAY_ROOT(tree), NULL, NULL); }

static int size(const struct node *node)
{
    return node ? size(SPLAY_LEFT(node, link)) + 1 + size(SPLAY_RIGHT(node, link)) : 0;
}

/* The node with that key, found without its help. */
static const struct node *with_key(const struct node *node, int key)
{
    while (node && node->key != key)
        node = key < node->key ? SPLAY_LEFT(node, link) : SPLAY_RIGHT(node, link);
    return node;
}
