// tine-test: fn=remove requires=is_valid max-objects=4 paths=6 verdict=bounded reason=--max-objects
#include "tailq.h"

int is_valid(struct queue *queue, struct node *old)
{
    return queue && old && length(queue) > 0 && has(queue, old);
}

void remove(struct queue *queue, struct node *old)
{
    int before = length(queue);
    TAILQ_REMOVE(queue, old, link);             //~ COVERED
    tine_assert(length(queue) == before - 1);
    tine_assert(!has(queue, old));
}
