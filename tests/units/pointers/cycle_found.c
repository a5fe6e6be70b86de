// tine-test: fn=meet max-objects=4 verdict=bounded input="p->next->next->next = p->next"
// The tortoise and the hare meet in a cycle that begins after the first node.
#include <stdlib.h>

struct node {
    struct node *next;
};

void meet(struct node *p) {
    struct node *slow = p, *fast = p;
    while (fast && fast->next) {                //~ COVERED
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast) {                     //~ COVERED
            if (p->next->next != p->next && p->next->next->next == p->next) //~ COVERED
                abort();                        //~ ERROR abort
            return;
        }
    }
}
