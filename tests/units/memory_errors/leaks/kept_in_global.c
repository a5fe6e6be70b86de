// tine-test: fn=pair check=+leak
// Blocks that a global, a list, a static or the result still holds are not lost.
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *all;
struct node *last;

static struct node *add(int k) {
    struct node *n = malloc(sizeof *n);
    if (!n)
        return NULL;
    n->value = k;
    n->next = all;
    all = n;
    return n;
}

static void drop_first(int faulty) {
    struct node *first = all;
    if (!first)
        return;
    all = first->next;
    if (!faulty)
        free(first);
}

void *pair(int faulty, int k) {
    static char *buffer;
    if (!buffer)
        buffer = malloc(32);
    for (int i = 0; i < 3; i++)
        last = add(k + 0u == 7 ? i : 0);
    int *lost = malloc(8); //~ ERROR memory leak
    if (lost)
        *lost = k;
    last = NULL;
    if (k == 7)
        drop_first(0);
    if (!faulty || k != 7)
        free(lost);
    return malloc(24);
}
