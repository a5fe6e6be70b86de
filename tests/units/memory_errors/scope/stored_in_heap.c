// tine-test: fn=pair
// CWE-562: a list on the heap gets a node from the stack. The twin takes it out before it returns.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static void push(struct node *list, int value, int pop) {
    struct node n = {list->next, value};
    list->next = &n;
    list->value += n.value;
    if (pop)
        list->next = n.next;
}

static int run(int x, int pop) {
    struct node *list = calloc(1, sizeof *list);
    push(list, x & 7, pop);
    int r = list->next ? list->next->value : list->value; //~ ERROR use after return
    free(list);
    return r;
}

int bad(int x) { return run(x, x != 3); }
int good(int x) { return run(x, 1); }
int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
