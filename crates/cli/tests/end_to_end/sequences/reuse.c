// Memory that is used again has old contents: `add` forgets the mark of its node, which is 0 in memory that is new.
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
