// tine-test: fn=expand cflags=-DONE_BUCKET
// A table that grows, with keys that spread over the buckets and with keys that do not.
#include "table.h"

void expand(void)
{
    static struct item items[100];
    struct item *table = NULL;
    unsigned step = tine_choice(2, "step") ? 1 : 64;
    for (unsigned k = 0; k < 100; k++) {
        items[k].key = (int)(k * step);
        HASH_ADD_INT(table, key, &items[k]);    //~ COVERED but 3: memory does not run out
        tine_assert(is_table(table, k + 1));
    }
}
