// tine-test: fn=find requires=is_valid max-objects=3 paths=49 verdict=bounded reason=--max-objects
#include "splay.h"

SPLAY_PROTOTYPE(tree, node, link, compare) //~ COVERED tree_SPLAY_FIND
SPLAY_GENERATE(tree, node, link, compare)

int is_valid(struct tree tree, int key) { return is_tree(&tree); }

void find(struct tree tree, int key)
{
    struct node wanted = {.key = key};
    const struct node *same = with_key(SPLAY_ROOT(&tree), key);
    int before = size(SPLAY_ROOT(&tree));
    tine_assert(SPLAY_FIND(tree, &tree, &wanted) == same);
    tine_assert(is_tree(&tree));
    tine_assert(size(SPLAY_ROOT(&tree)) == before);
}
