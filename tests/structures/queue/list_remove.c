// tine-test: fn=remove requires=is_valid max-objects=4 paths=6 verdict=bounded reason=--max-objects
#include "list.h"

int is_valid(struct list *list, struct node *old)
{
    return list && old && length(list) > 0 && has(list, old);
}

void remove(struct list *list, struct node *old)
{
    int before = length(list);
    LIST_REMOVE(old, link);                     //~ COVERED
    tine_assert(length(list) == before - 1);
    tine_assert(!has(list, old));
}
