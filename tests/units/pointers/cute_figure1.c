// tine-test: fn=testme cflags=-fwrapv by-run=6 paths=5 input="p->next = p"
// CUTE, Figure 1: the error needs a list whose next is itself, and an equation between a field and a parameter.
#include <stdlib.h>

typedef struct cell {
    int v;
    struct cell *next;
} cell;

static int f(int v) { return 2 * v + 1; }

int testme(cell *p, int x) {
    if (x > 0)                  //~ COVERED
        if (p != NULL)          //~ COVERED
            if (f(x) == p->v)   //~ COVERED
                if (p->next == p) //~ COVERED
                    abort();    //~ ERROR abort
    return 0;
}
