/* A TAILQ of sys/queue.h: each node knows the pointer that leads to it, and the head the last such pointer. */
#include <stddef.h>

#include <bsd/sys/queue.h>
#include <tine.h>

struct node {
    TAILQ_ENTRY(node) link;
};
TAILQ_HEAD(queue, node);

/* Nodes, or -1 if it is not a queue. */
static int length(const struct queue *queue)
{
    struct node *const *to = &queue->tqh_first;
    int n = 0;
    for (; *to && n < 4; n++) {
        if ((*to)->link.tqe_prev != to)
            return -1;
        to = &(*to)->link.tqe_next;
    }
    return !*to && queue->tqh_last == to ? n : -1;
}

static int has(const struct queue *queue, const struct node *wanted)
{
    const struct node *node;
    TAILQ_FOREACH(node, queue, link)
        if (node == wanted)
            return 1;
    return 0;
}
