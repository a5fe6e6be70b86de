/* A circular list of utlist's. */
#include <stddef.h>

#include <tine.h>
#include <utlist.h>

struct node {
    struct node *prev, *next;
};

/* Longer ones do not count. */
#define LONGEST 4

/* Nodes, or -1 if it is not a circle. */
static int length(const struct node *list)
{
    const struct node *node = list;
    if (!list)
        return 0;
    for (int n = 1; n <= LONGEST; n++) {
        if (!node->next || node->next->prev != node)
            return -1;
        node = node->next;
        if (node == list)
            return n;
    }
    return -1;
}

static int has(const struct node *list, const struct node *node)
{
    const struct node *first = list;
    if (!list)
        return 0;
    do {
        if (list == node)
            return 1;
        list = list->next;
    } while (list != first);
    return 0;
}
