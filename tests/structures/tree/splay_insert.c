// tine-test: fn=insert requires=is_valid max-objects=4 paths=49 verdict=bounded reason=--max-objects
#include "splay.h"

SPLAY_PROTOTYPE(tree, node, link, compare)
SPLAY_GENERATE(tree, node, link, compare) //~ COVERED tree_SPLAY_INSERT //~ COVERED tree_SPLAY but 1: what is neither 0 nor below is above

static int has(const struct node *node, const struct node *wanted)
{
    return node && (node == wanted || has(SPLAY_LEFT(node, link), wanted) || has(SPLAY_RIGHT(node, link), wanted));
}

int is_valid(struct tree tree, struct node *new) { return new && is_tree(&tree) && !has(SPLAY_ROOT(&tree), new); }

void insert(struct tree tree, struct node *new)
{
    int before = size(SPLAY_ROOT(&tree));
    const struct node *same = with_key(SPLAY_ROOT(&tree), new->key);
    tine_assert(SPLAY_INSERT(tree, &tree, new) == same);
    tine_assert(is_tree(&tree));
    tine_assert(size(SPLAY_ROOT(&tree)) == before + !same);
    tine_assert(SPLAY_ROOT(&tree) == (same ? same : new));
}
