/* A singly linked list of utlist's, and what it has to look like. */
#include <stddef.h>

#include <tine.h>
#include <utlist.h>

struct node {
    int key;
    struct node *next;
};

/* Longer ones do not count. */
#define LONGEST 4

/* Nodes, or -1 if the list does not end. */
static int length(const struct node *list)
{
    int n = 0;
    for (; list && n <= LONGEST; list = list->next)
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

static int compare(const struct node *a, const struct node *b)
{
    return a->key < b->key ? -1 : a->key > b->key;
}
