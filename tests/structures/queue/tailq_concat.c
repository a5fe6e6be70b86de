// tine-test: fn=concat requires=is_valid max-objects=5 paths=10 verdict=bounded reason=--max-objects
#include "tailq.h"

int is_valid(struct queue *a, struct queue *b)
{
    if (!a || !b || a == b || length(a) < 0 || length(b) < 0)
        return 0;
    for (struct node *x = TAILQ_FIRST(a); x; x = TAILQ_NEXT(x, link))
        if (has(b, x))
            return 0;
    return 1;
}

void concat(struct queue *a, struct queue *b)
{
    int together = length(a) + length(b);
    TAILQ_CONCAT(a, b, link);                   //~ COVERED
    tine_assert(length(a) == together);
    tine_assert(length(b) == 0);
}
