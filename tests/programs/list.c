// tine-test: fn=removed max-objects=3 verdict=bounded run-timeout=300ms
// Takes elements out of a list.
#include <stddef.h>

struct node {
    int key;
    struct node *next;
};

static int length(const struct node *list) {
    int n = 0;
    while (list && n < 4) {
        list = list->next;
        n++;
    }
    return n;
}

int removed(struct node *list, int key) {
    int before = length(list);
    if (before > 3)
        return -1;
    for (struct node **at = &list; *at != NULL;) {
        if ((*at)->key == key || ((*at)->next && (*at)->next->key == (*at)->key))
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
    return before - length(list) > 1 && list;
}
