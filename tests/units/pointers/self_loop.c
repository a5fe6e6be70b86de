// tine-test: fn=loops input="p->next->next = p->next"
// A node after another, which points to itself.
#include <stdlib.h>

struct node {
    struct node *next;
};

void loops(struct node *p) {
    if (p && p->next && p->next != p)           //~ COVERED
        if (p->next->next == p->next)           //~ COVERED
            abort();                            //~ ERROR abort
}
