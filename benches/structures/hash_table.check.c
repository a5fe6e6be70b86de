/* op: find max-objects=4 */
/* op: add max-objects=4 */
/* op: remove max-objects=4 */
#include "hash_table.c"

#include <tine.h>

#define LONGEST 4

/* Items are in the right chain, once, and counted. */
static int is_table(const struct table *table)
{
    unsigned n = 0;
    for (unsigned k = 0; k < N_BUCKETS; k++) {
        const struct item *item = table->buckets[k];
        for (; item && n <= LONGEST; item = item->next, n++) {
            if (item->key % N_BUCKETS != k)
                return 0;
            for (const struct item *before = table->buckets[k]; before != item; before = before->next)
                if (before->key == item->key)
                    return 0;
        }
        if (item)
            return 0;
    }
    return table->n_items == n;
}

static int has(const struct table *table, const struct item *wanted)
{
    for (unsigned k = 0; k < N_BUCKETS; k++)
        for (const struct item *item = table->buckets[k]; item; item = item->next)
            if (item == wanted)
                return 1;
    return 0;
}

int can_find(struct table table, unsigned key) { return is_table(&table); }

void find(struct table table, unsigned key)
{
    struct item *found = table_find(&table, key);
    tine_assert(!found || (found->key == key && has(&table, found)));
}

int can_add(struct table table, struct item *new) { return new && is_table(&table) && !has(&table, new); }

void add(struct table table, struct item *new)
{
    unsigned before = table.n_items;
    bool is_new = table_add(&table, new);
    tine_assert(is_table(&table));
    tine_assert(table.n_items == before + is_new);
}

int can_remove(struct table table, unsigned key) { return is_table(&table); }

void remove(struct table table, unsigned key)
{
    unsigned before = table.n_items;
    struct item *old = table_remove(&table, key);
    tine_assert(is_table(&table));
    tine_assert(table.n_items == before - (old != NULL));
    tine_assert(!old || !has(&table, old));
}
