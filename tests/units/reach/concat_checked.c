// tine-test: fn=list_concat
// A list with a head has a tail, as the functions of the file keep it.
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
    if (!b->head)            //~ REQUIRES b != NULL
        return;
    if (a->head)             //~ REQUIRES a != NULL
        a->tail->next = b->head; //~ REQUIRES a->tail != NULL
    else
        a->head = b->head;
    a->tail = b->tail;
}
