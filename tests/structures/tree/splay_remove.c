// tine-test: fn=remove requires=is_valid max-objects=3 paths=49 verdict=bounded reason=--max-objects
#include "splay.h"

SPLAY_PROTOTYPE(tree, node, link, compare)
SPLAY_GENERATE(tree, node, link, compare) //~ COVERED tree_SPLAY_REMOVE //~ COVERED tree_SPLAY but 1: what is neither 0 nor below is above

int is_valid(struct tree tree, int key) { return is_tree(&tree); }

void remove(struct tree tree, int key)
{
    struct node wanted = {.key = key};
    int before = size(SPLAY_ROOT(&tree));
    const struct node *same = with_key(SPLAY_ROOT(&tree), key);
    tine_assert(SPLAY_REMOVE(tree, &tree, &wanted) == (same ? &wanted : NULL));
    tine_assert(is_tree(&tree));
    tine_assert(size(SPLAY_ROOT(&tree)) == before - !!same);
    tine_assert(!with_key(SPLAY_ROOT(&tree), key));
}
