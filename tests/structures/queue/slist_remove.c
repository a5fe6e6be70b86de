// tine-test: fn=remove requires=is_valid max-objects=4 paths=6 verdict=bounded reason=--max-objects
#include <stddef.h>

#include <bsd/sys/queue.h>
#include <tine.h>

struct node {
    SLIST_ENTRY(node) link;
};
SLIST_HEAD(list, node);

static int length(const struct list *list)
{
    const struct node *node = SLIST_FIRST(list);
    int n = 0;
    for (; node && n < 4; node = SLIST_NEXT(node, link))
        n++;
    return node ? -1 : n;
}

static int has(const struct list *list, const struct node *wanted)
{
    const struct node *node;
    SLIST_FOREACH(node, list, link)
        if (node == wanted)
            return 1;
    return 0;
}

int is_valid(struct list *list, struct node *old)
{
    return list && old && length(list) > 0 && has(list, old);
}

void remove(struct list *list, struct node *old)
{
    int before = length(list);
    SLIST_REMOVE(list, old, node, link);        //~ COVERED
    tine_assert(length(list) == before - 1);
    tine_assert(!has(list, old));
}
