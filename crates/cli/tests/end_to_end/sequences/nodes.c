// The result of one call is an argument of another: a node to erase. The list has a tail that `erase` forgets.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v;
};

struct list {
    struct node *head, *tail;
};

struct list *list_new(void) { return calloc(1, sizeof(struct list)); }

struct node *append(struct list *l, int v) {
    struct node *n = calloc(1, sizeof *n);
    n->v = v;
    if (l->tail)
        l->tail->next = n;
    else
        l->head = n;
    l->tail = n;
    return n;
}

void erase(struct list *l, struct node *n) {
    struct node **p = &l->head;
    while (*p && *p != n)
        p = &(*p)->next;
    if (!*p)
        return;
    *p = n->next;
    assert(l->tail != n || l->head == 0);
    if (l->tail == n)
        l->tail = 0;
    free(n);
}

void list_free(struct list *l) {
    while (l->head) {
        struct node *n = l->head;
        l->head = n->next;
        free(n);
    }
    free(l);
}
