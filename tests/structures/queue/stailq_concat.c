// tine-test: fn=concat requires=is_valid max-objects=5 paths=10 verdict=bounded reason=--max-objects
#include <stddef.h>

#include <bsd/sys/queue.h>
#include <tine.h>

struct node {
    STAILQ_ENTRY(node) link;
};
STAILQ_HEAD(queue, node);

/* Nodes, or -1 if it is not a queue. */
static int length(const struct queue *queue)
{
    struct node *const *to = &queue->stqh_first;
    int n = 0;
    for (; *to && n < 4; n++)
        to = &(*to)->link.stqe_next;
    return !*to && queue->stqh_last == to ? n : -1;
}

int is_valid(struct queue *a, struct queue *b)
{
    if (!a || !b || a == b || length(a) < 0 || length(b) < 0)
        return 0;
    for (struct node *x = STAILQ_FIRST(a); x; x = STAILQ_NEXT(x, link))
        for (struct node *y = STAILQ_FIRST(b); y; y = STAILQ_NEXT(y, link))
            if (x == y)
                return 0;
    return 1;
}

void concat(struct queue *a, struct queue *b)
{
    int together = length(a) + length(b);
    STAILQ_CONCAT(a, b);                        //~ COVERED
    tine_assert(length(a) == together);
    tine_assert(length(b) == 0);
}
