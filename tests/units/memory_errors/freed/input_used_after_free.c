// tine-test: fn=pair
// CWE-416: an object that is an input is used after the unit has freed it.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

int bad(struct node *n, int k) {
    if (!n)
        return 0;
    free(n);
    return k == 1 ? n->value : 0; //~ ERROR use after free
}

int good(struct node *n, int k) {
    if (!n)
        return 0;
    int value = n->value;
    free(n);
    return k == 1 ? value : 0;
}

int pair(int faulty, struct node *n, int k) { return faulty ? bad(n, k) : good(n, k); }
