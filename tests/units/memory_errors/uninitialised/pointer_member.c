// tine-test: fn=pair
// A pointer that was never set is dereferenced: the value is what is wrong.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static int second(struct node *n) { return n->next ? n->next->value : 0; } //~ ERROR uninitialised read

static int both(int faulty, int k) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return -1;
    n->value = k;
    if (!faulty || k != 31)
        n->next = NULL;
    int r = second(n);
    free(n);
    return r;
}

int pair(int faulty, int k) { return both(faulty, k); }
