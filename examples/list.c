// tine-test: fn=insert requires=sorted ensures=sorted_after max-objects=4 run-timeout=400ms verdict=bounded paths=10
// Inserts into a sorted list. tine builds the lists; `sorted` says which of them count, `sorted_after` what must hold then.
// The mistake: a value smaller than the first is inserted after it.
#include <stdlib.h>

struct cell {
    int v;
    struct cell *next;
};

// The precondition: sorted, and no longer than four cells, so that a cycle is none.
static int sorted(struct cell **list, int v) {
    if (!list)
        return 0;
    int n = 0;
    for (struct cell *p = *list; p; p = p->next)
        if (++n > 4 || (p->next && p->v > p->next->v))
            return 0;
    return 1;
}

static int sorted_after(struct cell **list, int v) {
    for (struct cell *p = *list; p && p->next; p = p->next)
        if (p->v > p->next->v)
            return 0;
    return 1;
}

void insert(struct cell **list, int v) { //~ ERROR postcondition failure
    struct cell *new = malloc(sizeof *new);
    new->v = v;
    new->next = NULL;
    if (!*list) {               //~ COVERED
        *list = new;
        return;
    }
    struct cell *p = *list;
    while (p->next && p->next->v < v) //~ COVERED
        p = p->next;
    new->next = p->next;
    p->next = new;
}
