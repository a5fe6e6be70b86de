/* A singly linked list. */
#include <stddef.h>

struct node {
    struct node *next;
    int key;
};

struct node *list_append(struct node *list, struct node *new)
{
    struct node **end = &list;
    while (*end)
        end = &(*end)->next;
    *end = new;
    new->next = NULL;
    return list;
}

struct node *list_remove(struct node *list, struct node *old)
{
    struct node **to = &list;
    while (*to && *to != old)
        to = &(*to)->next;
    if (*to)
        *to = old->next;
    return list;
}

struct node *list_find(struct node *list, int key)
{
    while (list && list->key != key)
        list = list->next;
    return list;
}

struct node *list_reverse(struct node *list)
{
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    return reversed;
}

struct node *list_concat(struct node *a, struct node *b)
{
    struct node *end = a;
    if (!a)
        return b;
#ifndef BUG_LOST_IN_CONCAT
    while (end->next)
        end = end->next;
#else
    while (end->next && end->next->next)
        end = end->next;
#endif
    end->next = b;
    return a;
}

struct node *list_insert_sorted(struct node *list, struct node *new)
{
    struct node **to = &list;
#ifndef BUG_INSERTED_TOO_FAR
    while (*to && (*to)->key < new->key)
        to = &(*to)->next;
#else
    while (*to && (*to)->key <= new->key + 1)
        to = &(*to)->next;
#endif
    new->next = *to;
    *to = new;
    return list;
}

/* Merges two sorted lists. */
struct node *list_merge(struct node *a, struct node *b)
{
    struct node *merged = NULL, **end = &merged;
    while (a && b) {
        struct node **from = &a;
        if (b->key < a->key)
            from = &b;
        *end = *from;
        end = &(*from)->next;
        *from = *end;
    }
    *end = a;
    if (b)
        *end = b;
    return merged;
}

struct node *list_sort(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *middle = list, *end = list->next;
    while (end && end->next) {
        middle = middle->next;
        end = end->next->next;
    }
    struct node *rest = middle->next;
    middle->next = NULL;
    return list_merge(list_sort(list), list_sort(rest));
}
