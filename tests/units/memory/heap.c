// tine-test: fn=heap
// Values survive on the heap, and memory handed out again is clean.
#include <stdlib.h>
#include <tine.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *list, int value) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        exit(0);
    n->next = list;
    n->value = value;
    return n;
}

int heap(int x, int y) {
    struct node *list = push(push(push(NULL, x), 7), y);
    if (list->value == 70 && list->next->next->value == -70)        //~ COVERED
        tine_assert(list->next->value != 7);                        //~ ERROR assertion failure
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    int *clean = calloc(8, sizeof *clean);
    if (!clean)
        exit(0);
    for (int i = 0; i < 8; i++)
        tine_assert(clean[i] == 0);
    free(clean);
    return 0;
}
