// tine-test: fn=find cflags=-DONE_BUCKET
// Items with any keys, and any key to look for.
#include "table.h"

void find(int a, int b, int wanted)
{
    struct item first = {.key = a}, second = {.key = b}, *table = NULL, *found;
    HASH_ADD_INT(table, key, &first);
    HASH_ADD_INT(table, key, &second);
    HASH_FIND_INT(table, &wanted, found);       //~ COVERED but 4: there is a table, twice, whose bucket has items, whose keys are equally long
    if (wanted == b)                            //~ COVERED
        tine_assert(found == &second);
    else if (wanted == a)                       //~ COVERED
        tine_assert(found == &first);
    else
        tine_assert(!found);
}
