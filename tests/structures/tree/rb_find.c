// tine-test: fn=find requires=is_valid max-objects=4 paths=64 verdict=bounded reason=--max-objects
#include "red_black.h"

RB_PROTOTYPE(tree, node, link, compare)
RB_GENERATE(tree, node, link, compare) //~ COVERED tree_RB_FIND

int is_valid(struct tree tree, signed char key) { return is_tree(&tree); }

void find(struct tree tree, signed char key)
{
    struct node wanted = {.key = key};
    tine_assert(RB_FIND(tree, &tree, &wanted) == with_key(RB_ROOT(&tree), key));
}
