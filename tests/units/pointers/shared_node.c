// tine-test: fn=shared
// Nothing compares the pointers: that two trees share a node is seen by a write through one and a read through the other.
#include <stdlib.h>

struct tree {
    struct tree *left, *right;
    int value;
};

void shared(struct tree *a, struct tree *b) {
    if (!a || !b || !a->left || !b->right)      //~ COVERED
        return;
    a->left->value = 1;
    b->right->value = 2;
    if (a->left->value == 2)                    //~ COVERED
        abort();                                //~ ERROR abort
}
