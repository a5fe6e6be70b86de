// tine-test: fn=sort requires=is_valid max-objects=4 verdict=bounded reason=--max-objects
#include "single.h"

int is_valid(struct node *list) { return length(list) >= 0; }

void sort(struct node *list)
{
    int before = length(list);
    LL_SORT(list, compare);                     //~ COVERED but 1: a merge moves at least one node, so there is a last one
    tine_assert(length(list) == before);
    for (; list && list->next; list = list->next)
        tine_assert(list->key <= list->next->key);
}
