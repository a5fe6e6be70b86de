// tine-test: fn=pair
// CWE-122: a small node is used as a larger one. The twin reaches the larger one by `container_of`.
#include <stddef.h>
#include <stdlib.h>

struct link {
    struct link *next;
};
struct item {
    long value;
    struct link link;
    long more[4];
};
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

int bad(int k) {
    struct link *l = malloc(sizeof *l);
    l->next = 0;
    if (k == 11)
        ((struct item *)l)->more[1] = 1; //~ ERROR out-of-bounds write
    free(l);
    return 0;
}

int good(int k) {
    struct item *i = malloc(sizeof *i);
    struct link *l = &i->link;
    l->next = 0;
    if (k == 11)
        container_of(l, struct item, link)->more[3] = 1;
    free(container_of(l, struct item, link));
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
