// tine-test: fn=pair check=+leak
// CWE-401: two nodes that point to each other, and nothing else does.
#include <stdlib.h>

struct node {
    struct node *other;
};

static int both(int frees, int k) {
    struct node *a = malloc(sizeof *a); //~ ERROR memory leak
    struct node *b = malloc(sizeof *b); //~ ERROR memory leak
    if (a)
        a->other = b;
    if (b)
        b->other = a;
    if (frees || k != 3) {
        free(a);
        free(b);
    }
    return 0;
}

int pair(int faulty, int k) { return both(!faulty, k); }
