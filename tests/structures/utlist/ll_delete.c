// tine-test: fn=delete requires=is_valid max-objects=4 verdict=bounded reason=--max-objects
#include "single.h"

int is_valid(struct node *list, struct node *old) { return old && length(list) > 0; }

void delete(struct node *list, struct node *old)
{
    int before = length(list);
    int was_there = has(list, old);
    LL_DELETE(list, old);                       //~ COVERED
    tine_assert(length(list) == before - was_there);
    tine_assert(!has(list, old));
}
