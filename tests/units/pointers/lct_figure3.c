// tine-test: fn=example cflags=-fwrapv
// LCT, Figure 3: an object is asked for on one side only; the other dereferences NULL.
#include <stdlib.h>

struct list {
    int value;
    struct list *next;
};

void example(int x, struct list *input) {
    struct list *y;
    x = x + 5;
    if (x > 0)              //~ COVERED
        y = input;
    else
        y = NULL;
    if (y->next == y)       //~ COVERED //~ ERROR null pointer dereference //~ REQUIRES input != NULL
        abort();            //~ ERROR abort
}
