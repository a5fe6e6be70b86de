/* A red-black tree of sys/tree.h, and what it has to look like. */
#include <stddef.h>

#include <bsd/sys/tree.h>
#include <tine.h>

struct node {
    RB_ENTRY(node) link;
    signed char key;
};
RB_HEAD(tree, node);

static int compare(const struct node *a, const struct node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}

/* Higher ones do not count. */
#define HIGHEST 4

/* Black nodes on the way down, or 0 if it is not a tree: keys between those of `low` and `high`, no red node below a red
 * one, as many black nodes on the left as on the right. */
static int black_height(const struct node *node, const struct node *parent, const struct node *low,
                        const struct node *high, int levels)
{
    if (!node)
        return 1;
    if (levels == 0 || RB_PARENT(node, link) != parent)
        return 0;
    if (low && node->key <= low->key)
        return 0;
    if (high && node->key >= high->key)
        return 0;
    int is_black = RB_COLOR(node, link) == RB_BLACK;
    if (!is_black && (RB_COLOR(node, link) != RB_RED || !parent || RB_COLOR(parent, link) == RB_RED))
        return 0;
    int left = black_height(RB_LEFT(node, link), node, low, node, levels - 1);
    if (!left || black_height(RB_RIGHT(node, link), node, node, high, levels - 1) != left)
        return 0;
    return left + is_black;
}

static int is_tree(const struct tree *tree)
{
    return black_height(RB_ROOT(tree), NULL, NULL, NULL, HIGHEST) != 0;
}

static int size(const struct node *node)
{
    return node ? size(RB_LEFT(node, link)) + 1 + size(RB_RIGHT(node, link)) : 0;
}

static int has(const struct node *node, const struct node *wanted)
{
    return node && (node == wanted || has(RB_LEFT(node, link), wanted) || has(RB_RIGHT(node, link), wanted));
}

/* The node with that key, found without its help. */
static const struct node *with_key(const struct node *node, int key)
{
    while (node && node->key != key)
        node = key < node->key ? RB_LEFT(node, link) : RB_RIGHT(node, link);
    return node;
}
