// tine-test: fn=insert requires=is_valid max-objects=5 paths=6 verdict=bounded reason=--max-objects
#include "list.h"

int is_valid(struct list *list, struct node *place, struct node *new)
{
    return list && place && new && length(list) > 0 && has(list, place) && !has(list, new);
}

void insert(struct list *list, struct node *place, struct node *new)
{
    int before = length(list);
    LIST_INSERT_AFTER(place, new, link);        //~ COVERED
    tine_assert(length(list) == before + 1);
    tine_assert(LIST_NEXT(place, link) == new);
}
