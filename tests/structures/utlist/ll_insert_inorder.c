// tine-test: fn=insert requires=is_valid max-objects=4 verdict=bounded reason=--max-objects
#include "single.h"

static int is_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        if (list->key > list->next->key)
            return 0;
    return 1;
}

int is_valid(struct node *list, struct node *new)
{
    return new && length(list) >= 0 && !has(list, new) && is_sorted(list);
}

void insert(struct node *list, struct node *new)
{
    int before = length(list);
    LL_INSERT_INORDER(list, new, compare);      //~ COVERED but 1: it looks a second time whether the list is empty
    tine_assert(length(list) == before + 1);
    tine_assert(is_sorted(list));
}
