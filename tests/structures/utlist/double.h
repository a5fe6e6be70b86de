/* A doubly linked list of utlist's: the first node's `prev` is the last node. */
#include <stddef.h>

#include <tine.h>
#include <utlist.h>

struct node {
    int key;
    struct node *prev, *next;
};

/* Longer ones do not count. */
#define LONGEST 4

/* Nodes, or -1 if it is not a list. */
static int length(const struct node *list)
{
    const struct node *node = list;
    if (!list)
        return 0;
    for (int n = 1; n <= LONGEST; n++, node = node->next) {
        if (!node->next)
            return list->prev == node ? n : -1;
        if (node->next->prev != node)
            return -1;
    }
    return -1;
}

static int has(const struct node *list, const struct node *node)
{
    for (; list; list = list->next)
        if (list == node)
            return 1;
    return 0;
}

static int compare(const struct node *a, const struct node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}
