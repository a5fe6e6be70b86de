// tine-test: fn=destroy max-objects=3 verdict=incomplete reason="overlap" unnoticed
// A second free by way of the same link is an error, also for nodes with one owner.
#include <stdlib.h>

struct node {
    struct node *next;
    int is_last;
};
void destroy(struct node *n) {
    if (!n->is_last) { //~ REQUIRES n != NULL
        free(n->next);
        if (n->next) //~ REQUIRES no circle of node.next
            free(n->next); //~ ERROR double free
    }
}
