/* A hash table with chains, made by its user's items. */
#include <stdbool.h>
#include <stddef.h>

#define N_BUCKETS 2

struct item {
    struct item *next;
    unsigned key;
};

struct table {
    struct item *buckets[N_BUCKETS];
    unsigned n_items;
};

static struct item **bucket(struct table *table, unsigned key) { return &table->buckets[key % N_BUCKETS]; }

struct item *table_find(struct table *table, unsigned key)
{
    struct item *item = *bucket(table, key);
    while (item && item->key != key)
        item = item->next;
    return item;
}

/* False if the key is there already. */
bool table_add(struct table *table, struct item *new)
{
    struct item **to = bucket(table, new->key);
    while (*to) {
#ifndef BUG_ADDED_TWICE
        if ((*to)->key == new->key)
            return false;
#else
        if ((*to)->key == new->key && (*to)->next)
            return false;
#endif
        to = &(*to)->next;
    }
    new->next = NULL;
    *to = new;
    table->n_items++;
    return true;
}

struct item *table_remove(struct table *table, unsigned key)
{
    struct item **to = bucket(table, key), *old;
    while (*to && (*to)->key != key)
        to = &(*to)->next;
    old = *to;
    if (old) {
#ifndef BUG_REST_LOST
        *to = old->next;
#else
        *to = NULL;
#endif
        table->n_items--;
    }
    return old;
}
