/* A doubly linked list with a head that knows both ends. */
#include <stddef.h>

struct node {
    struct node *next, *prev;
    int key;
};

struct list {
    struct node *first, *last;
};

void list_append(struct list *list, struct node *new)
{
    new->next = NULL;
    new->prev = list->last;
    if (list->last)
        list->last->next = new;
    else
        list->first = new;
    list->last = new;
}

void list_insert_after(struct list *list, struct node *place, struct node *new)
{
    new->prev = place;
    new->next = place->next;
    if (place->next)
        place->next->prev = new;
#ifndef BUG_LAST_FORGOTTEN
    else
        list->last = new;
#endif
    place->next = new;
}

void list_remove(struct list *list, struct node *old)
{
    if (old->prev)
        old->prev->next = old->next;
    else
        list->first = old->next;
    if (old->next)
        old->next->prev = old->prev;
    else
        list->last = old->prev;
}

struct node *list_find(const struct list *list, int key)
{
    struct node *node = list->first;
    while (node && node->key != key)
        node = node->next;
    return node;
}

/* Moves all nodes of `b` after those of `a`. */
void list_concat(struct list *a, struct list *b)
{
#ifndef BUG_CONCAT_WITH_EMPTY
    if (!b->first)
        return;
#endif
    b->first->prev = a->last;
    if (a->last)
        a->last->next = b->first;
    else
        a->first = b->first;
    a->last = b->last;
    b->first = b->last = NULL;
}

void list_reverse(struct list *list)
{
    struct node *node = list->first, *first = list->first;
    while (node) {
        struct node *next = node->next;
        node->next = node->prev;
        node->prev = next;
        node = next;
    }
    list->first = list->last;
    list->last = first;
}
