// tine-test: fn=list_concat
// A new list has no tail, so `a->tail != NULL` is not for callers to meet.
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
struct list {
    struct node *head, *tail;
};
void list_init(struct list *l) { l->head = l->tail = NULL; }
int list_add(struct list *l, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->value = value;
    n->next = NULL;
    if (l->head)
        l->tail->next = n;
    else
        l->head = n;
    l->tail = n;
    return 0;
}
void list_concat(struct list *a, struct list *b) {
    a->tail->next = b->head; //~ ERROR null pointer dereference //~ REQUIRES a != NULL //~ REQUIRES b != NULL
    a->tail = b->tail;
}
