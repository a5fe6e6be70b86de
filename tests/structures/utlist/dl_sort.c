// tine-test: fn=sort requires=is_valid max-objects=4 verdict=bounded reason=--max-objects
#include "double.h"

int is_valid(struct node *list) { return length(list) >= 0; }

void sort(struct node *list)
{
    int before = length(list);
    DL_SORT(list, compare);                     //~ COVERED
    tine_assert(length(list) == before);
    for (; list && list->next; list = list->next)
        tine_assert(list->key <= list->next->key);
}
