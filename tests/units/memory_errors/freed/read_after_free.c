// tine-test: fn=pair
// CWE-416: the list's next pointer is read from the node just freed.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *make(int n) {
    struct node *list = NULL;
    for (int i = 0; i < n; i++) {
        struct node *x = malloc(sizeof *x);
        x->next = list;
        x->value = i;
        list = x;
    }
    return list;
}

int bad(int k) {
    for (struct node *x = make(k == 6 ? 2 : 0); x; x = x->next) //~ ERROR use after free
        free(x);
    return 0;
}

int good(int k) {
    struct node *next;
    for (struct node *x = make(k == 6 ? 2 : 0); x; x = next) {
        next = x->next;
        free(x);
    }
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
