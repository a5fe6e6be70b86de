// tine-test: fn=add_delete cflags=-DONE_BUCKET
// Adds items, takes some out again.
#include "table.h"

void add_delete(int a, int b, int c, int gone)
{
    struct item items[] = {{.key = a}, {.key = b}, {.key = c}}, *table = NULL, *found;
    unsigned n = 0;
    for (int k = 0; k < 3; k++, n++) {
        HASH_ADD_INT(table, key, &items[k]);
        tine_assert(is_table(table, n + 1));
    }
    for (;;) {
        HASH_FIND_INT(table, &gone, found);     //~ COVERED but 3: it looks twice for a table, whose bucket has items, whose keys are equally long
        if (!found)
            break;
        HASH_DEL(table, found);                 //~ COVERED
        tine_assert(is_table(table, --n));
    }
    tine_assert(n == (unsigned)((a != gone) + (b != gone) + (c != gone)));
}
