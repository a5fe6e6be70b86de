// tine-test: fn=insert requires=is_valid max-objects=4 verdict=bounded reason=--max-objects
#include "tailq.h"

int is_valid(struct queue *queue, struct node *new)
{
    return queue && new && length(queue) >= 0 && !has(queue, new);
}

void insert(struct queue *queue, struct node *new)
{
    int before = length(queue);
    TAILQ_INSERT_TAIL(queue, new, link);
    tine_assert(length(queue) == before + 1);
    tine_assert(TAILQ_LAST(queue, queue) == new);
}
