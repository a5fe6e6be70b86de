// tine-test: fn=append requires=is_valid max-objects=4 paths=4 verdict=bounded reason=--max-objects
#include "single.h"

int is_valid(struct node *list, struct node *new) { return new && length(list) >= 0 && !has(list, new); }

void append(struct node *list, struct node *new)
{
    int before = length(list);
    LL_APPEND(list, new);                       //~ COVERED
    tine_assert(length(list) == before + 1);
    tine_assert(has(list, new) && !new->next);
}
