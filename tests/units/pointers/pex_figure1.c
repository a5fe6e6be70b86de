// tine-test: fn=test
// tine-test: fn=test max-objects=2
// Pex, Figure 1: were objects mere addresses, `q` could lie on `p->next`. Objects of a type do not overlap, and nothing has
// to say so.
#include <tine.h>

typedef struct node {
    int value;
    struct node *next;
} node;

static void enqueue_tail(node *p, node *q, int val) {
    q->value = val;
    p->next = q;
}

void test(node *p, node *q, int val) {
    tine_assume(p != 0 && q != 0 && p != q);
    tine_assume(p->next == 0 && q->next == 0);
    enqueue_tail(p, q, val);
    tine_assert(p->next->value == val);
}
