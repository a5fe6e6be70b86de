// tine-test: fn=search requires=is_valid max-objects=3 verdict=bounded reason=--max-objects
#include "single.h"

int is_valid(struct node *list, int key) { return length(list) >= 0; }

void search(struct node *list, int key)
{
    struct node *found;
    LL_SEARCH_SCALAR(list, found, key, key);    //~ COVERED
    tine_assert(!found || found->key == key);
    for (; list != found; list = list->next)
        tine_assert(list->key != key);
}
