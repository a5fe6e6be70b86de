// tine-test: fn=concat requires=is_valid max-objects=4 paths=15 verdict=bounded reason=--max-objects
#include "single.h"

int is_valid(struct node *a, struct node *b)
{
    if (length(a) < 0 || length(b) < 0)
        return 0;
    for (; a; a = a->next)
        if (has(b, a))
            return 0;
    return 1;
}

void concat(struct node *a, struct node *b)
{
    int together = length(a) + length(b);
    LL_CONCAT(a, b);                            //~ COVERED
    tine_assert(length(a) == together);
}
