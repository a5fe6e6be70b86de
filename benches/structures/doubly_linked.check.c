/* op: append max-objects=5 */
/* op: insert_after max-objects=5 */
/* op: remove max-objects=5 */
/* op: find max-objects=5 */
/* op: concat max-objects=5 */
/* op: reverse max-objects=5 */
#include "doubly_linked.c"

#include <tine.h>

#define LONGEST 30

/* Nodes, or -1 if it is not a list. */
static int length(const struct list *list)
{
    const struct node *node = list->first, *before = NULL;
    int n = 0;
    for (; node && n < LONGEST; before = node, node = node->next, n++)
        if (node->prev != before)
            return -1;
    return !node && list->last == before ? n : -1;
}

static int has(const struct list *list, const struct node *wanted)
{
    for (const struct node *node = list->first; node; node = node->next)
        if (node == wanted)
            return 1;
    return 0;
}

int can_append(struct list list, struct node *new) { return new && length(&list) >= 0 && !has(&list, new); }

void append(struct list list, struct node *new)
{
    int before = length(&list);
    list_append(&list, new);
    tine_assert(length(&list) == before + 1);
    tine_assert(list.last == new);
}

int can_insert_after(struct list list, struct node *place, struct node *new)
{
    return place && new && length(&list) >= 0 && has(&list, place) && !has(&list, new);
}

void insert_after(struct list list, struct node *place, struct node *new)
{
    int before = length(&list);
    list_insert_after(&list, place, new);
    tine_assert(length(&list) == before + 1);
    tine_assert(place->next == new);
}

int can_remove(struct list list, struct node *old) { return old && length(&list) >= 0 && has(&list, old); }

void remove(struct list list, struct node *old)
{
    int before = length(&list);
    list_remove(&list, old);
    tine_assert(length(&list) == before - 1);
    tine_assert(!has(&list, old));
}

int can_find(struct list list, int key) { return length(&list) >= 0; }

void find(struct list list, int key)
{
    struct node *found = list_find(&list, key);
    tine_assert(!found || (found->key == key && has(&list, found)));
}

int can_concat(struct list a, struct list b)
{
    if (length(&a) < 0 || length(&b) < 0)
        return 0;
    for (struct node *node = a.first; node; node = node->next)
        if (has(&b, node))
            return 0;
    return 1;
}

void concat(struct list a, struct list b)
{
    int together = length(&a) + length(&b);
    list_concat(&a, &b);
    tine_assert(length(&a) == together);
    tine_assert(length(&b) == 0);
}

int can_reverse(struct list list) { return length(&list) >= 0; }

void reverse(struct list list)
{
    int before = length(&list);
    struct node *first = list.first;
    list_reverse(&list);
    tine_assert(length(&list) == before);
    tine_assert(list.last == first);
}
