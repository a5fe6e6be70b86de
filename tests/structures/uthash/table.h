/* A hash table of uthash's, with what uthash lets its users choose: a hash that a solver can invert and that different keys
 * share, and a comparison of keys that can be looked into. */
#include <stddef.h>

#include <tine.h>

#define HASH_FUNCTION(key, length, hash) ((hash) = *(const unsigned *)(key) & 0xff)
#define HASH_KEYCMP(a, b, length) (*(const int *)(a) != *(const int *)(b))
#include <uthash.h>

#ifdef ONE_BUCKET
/* Which bucket a key belongs into is then no question, while hashes, keys and the order of the chain are. */
#undef HASH_INITIAL_NUM_BUCKETS
#undef HASH_INITIAL_NUM_BUCKETS_LOG2
#define HASH_INITIAL_NUM_BUCKETS 1U
#define HASH_INITIAL_NUM_BUCKETS_LOG2 0U
#endif

struct item {
    int key;
    UT_hash_handle hh;
};

/* Whether the lists of the table are what they have to be, and `n` items are in it. */
static int is_table(const struct item *table, unsigned n)
{
    if (!table)
        return n == 0;
    const UT_hash_table *tbl = table->hh.tbl;
    const struct item *before = NULL;
    unsigned in_order = 0, in_buckets = 0;
    for (const struct item *item = table; item; before = item, item = item->hh.next, in_order++)
        if (item->hh.tbl != tbl || item->hh.prev != before || item->hh.key != &item->key)
            return 0;
    for (unsigned k = 0; k < tbl->num_buckets; k++) {
        const UT_hash_handle *prev = NULL;
        unsigned in_chain = 0;
        for (const UT_hash_handle *hh = tbl->buckets[k].hh_head; hh; prev = hh, hh = hh->hh_next, in_chain++)
            if (hh->hh_prev != prev || (hh->hashv & (tbl->num_buckets - 1)) != k)
                return 0;
        if (in_chain != tbl->buckets[k].count)
            return 0;
        in_buckets += in_chain;
    }
    return in_order == n && in_buckets == n && tbl->num_items == n && &before->hh == tbl->tail;
}
