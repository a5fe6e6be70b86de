/* A LIST of sys/queue.h: each node knows the pointer that leads to it. */
#include <stddef.h>

#include <bsd/sys/queue.h>
#include <tine.h>

struct node {
    LIST_ENTRY(node) link;
};
LIST_HEAD(list, node);

/* Nodes, or -1 if it is not a list. */
static int length(const struct list *list)
{
    struct node *const *to = &LIST_FIRST(list);
    int n = 0;
    for (; *to && n < 4; n++) {
        if ((*to)->link.le_prev != to)
            return -1;
        to = &LIST_NEXT(*to, link);
    }
    return *to ? -1 : n;
}

static int has(const struct list *list, const struct node *wanted)
{
    const struct node *node;
    LIST_FOREACH(node, list, link)
        if (node == wanted)
            return 1;
    return 0;
}
