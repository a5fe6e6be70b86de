// `push` forgets the mark of its node: what `malloc` returns is not initialised, be it new or used again.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int v, mark;
};

struct stack {
    struct node *top;
};

void init(struct stack *s) { s->top = 0; }

void push(struct stack *s, int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = s->top;
    s->top = n;
    assert(!n->mark);
}

void mark(struct stack *s) {
    if (s->top)
        s->top->mark = 1;
}

void pop(struct stack *s) {
    struct node *n = s->top;
    if (!n)
        return;
    s->top = n->next;
    free(n);
}
