/* op: append max-objects=5 */
/* op: remove max-objects=5 */
/* op: find max-objects=5 */
/* op: reverse max-objects=5 */
/* op: concat max-objects=5 */
/* op: insert_sorted max-objects=5 */
/* op: sort max-objects=4 */
#include "list.c"

#include <limits.h>
#include <tine.h>

#define LONGEST 30

/* Nodes, or -1 if the list does not end. */
static int length(const struct node *list)
{
    int n = 0;
    for (; list && n < LONGEST; list = list->next)
        n++;
    return list ? -1 : n;
}

static int has(const struct node *list, const struct node *node)
{
    for (; list; list = list->next)
        if (list == node)
            return 1;
    return 0;
}

static int is_sorted(const struct node *list)
{
    for (; list && list->next; list = list->next)
        if (list->key > list->next->key)
            return 0;
    return 1;
}

int can_append(struct node *list, struct node *new) { return new && length(list) >= 0 && !has(list, new); }

void append(struct node *list, struct node *new)
{
    int before = length(list);
    list = list_append(list, new);
    tine_assert(length(list) == before + 1);
    tine_assert(has(list, new) && !new->next);
}

int can_remove(struct node *list, struct node *old) { return length(list) >= 0; }

void remove(struct node *list, struct node *old)
{
    int before = length(list), was_there = has(list, old);
    list = list_remove(list, old);
    tine_assert(length(list) == before - was_there);
    tine_assert(!has(list, old));
}

int can_find(struct node *list, int key) { return length(list) >= 0; }

void find(struct node *list, int key)
{
    struct node *found = list_find(list, key);
    tine_assert(!found || found->key == key);
    for (; list != found; list = list->next)
        tine_assert(list->key != key);
}

int can_reverse(struct node *list) { return length(list) >= 0; }

void reverse(struct node *list)
{
    int before = length(list);
    struct node *last = list_reverse(list);
    tine_assert(length(last) == before);
    tine_assert(!list || !list->next);
}

int can_concat(struct node *a, struct node *b)
{
    if (length(a) < 0 || length(b) < 0)
        return 0;
    for (; a; a = a->next)
        if (has(b, a))
            return 0;
    return 1;
}

void concat(struct node *a, struct node *b)
{
    int together = length(a) + length(b);
    a = list_concat(a, b);
    tine_assert(length(a) == together);
}

int can_insert_sorted(struct node *list, struct node *new)
{
    return new && new->key < INT_MAX && length(list) >= 0 && !has(list, new) && is_sorted(list);
}

void insert_sorted(struct node *list, struct node *new)
{
    int before = length(list);
    list = list_insert_sorted(list, new);
    tine_assert(length(list) == before + 1);
    tine_assert(is_sorted(list));
}

int can_sort(struct node *list) { return length(list) >= 0; }

void sort(struct node *list)
{
    int before = length(list);
    list = list_sort(list);
    tine_assert(length(list) == before);
    tine_assert(is_sorted(list));
}
