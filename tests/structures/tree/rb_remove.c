// tine-test: fn=remove requires=is_valid max-objects=9 paths=1652 verdict=bounded reason=--max-objects
#include "red_black.h"

RB_PROTOTYPE(tree, node, link, compare)
RB_GENERATE(tree, node, link, compare) //~ COVERED tree_RB_REMOVE but 2: a successor has a parent //~ COVERED tree_RB_REMOVE_COLOR but 12: red siblings have children, first rotations a parent, and what they bring up is there

int is_valid(struct tree tree, struct node *old) { return old && is_tree(&tree) && has(RB_ROOT(&tree), old); }

void remove(struct tree tree, struct node *old)
{
    int before = size(RB_ROOT(&tree));
    RB_REMOVE(tree, &tree, old);
    tine_assert(is_tree(&tree));
    tine_assert(size(RB_ROOT(&tree)) == before - 1);
    tine_assert(!has(RB_ROOT(&tree), old));
}
