// tine-test: fn=insert requires=is_valid max-objects=8 paths=855 verdict=bounded reason=--max-objects
#include "red_black.h"

RB_PROTOTYPE(tree, node, link, compare)
RB_GENERATE(tree, node, link, compare) //~ COVERED tree_RB_INSERT //~ COVERED tree_RB_INSERT_COLOR but 6: the first of two rotations is below another node and always on its side

int is_valid(struct tree tree, struct node *new) { return new && is_tree(&tree) && !has(RB_ROOT(&tree), new); }

void insert(struct tree tree, struct node *new)
{
    int before = size(RB_ROOT(&tree));
    const struct node *same = with_key(RB_ROOT(&tree), new->key);
    tine_assert(RB_INSERT(tree, &tree, new) == same);
    tine_assert(is_tree(&tree));
    tine_assert(size(RB_ROOT(&tree)) == before + !same);
    tine_assert(has(RB_ROOT(&tree), new) == !same);
}
