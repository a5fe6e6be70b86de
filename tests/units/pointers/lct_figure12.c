// tine-test: fn=example
// tine-test: fn=example lazy
// LCT, Figure 12: two pointers are used before they are compared, and still may be one.
#include <stdlib.h>

struct list {
    int value;
    struct list *next;
};

void example(struct list *l1, struct list *l2, int x) {
    if (x == 5) {                       //~ COVERED
        if (l1 != NULL)                 //~ COVERED
            if (l2 != NULL) {           //~ COVERED
                l1->value = l2->value;
                if (l1 == l2)           //~ COVERED
                    abort();            //~ ERROR abort
            }
    }
}
