// tine-test: fn=test verdict=complete
// Two nodes of a list are two nodes: the one's value never lies where the other's link does (the first figure of "Test
// Input Generation for Programs with Pointers", TACAS 2009).
#include <assert.h>
#include <stddef.h>
#include <tine.h>

struct node {
    int value;
    struct node *next;
};

static void enqueue_tail(struct node *p, struct node *q, int value) {
    q->value = value;
    p->next = q;
}

void test(struct node *p, struct node *q, int value) {
    tine_assume(p != NULL && q != NULL && p != q);
    tine_assume(p->next == NULL && q->next == NULL);
    enqueue_tail(p, q, value);
    assert(p->next->value == value);
}
