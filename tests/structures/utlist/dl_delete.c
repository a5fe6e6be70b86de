// tine-test: fn=delete requires=is_valid max-objects=4 paths=10 verdict=bounded reason=--max-objects
#include "double.h"

int is_valid(struct node *list, struct node *old) { return length(list) > 0 && old && has(list, old); }

void delete(struct node *list, struct node *old)
{
    int before = length(list);
    DL_DELETE(list, old);                       //~ COVERED
    tine_assert(length(list) == before - 1);
    tine_assert(!has(list, old));
}
