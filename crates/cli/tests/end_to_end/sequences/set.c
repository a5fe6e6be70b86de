// A set as a list, with the number of its elements. With BUG, removing an element after the first does not count.
#include <stdlib.h>

struct node {
    int v;
    struct node *next;
};

struct set {
    struct node *first;
    int n;
};

struct set *init(void) {
    struct set *s = malloc(sizeof *s);
    s->first = 0;
    s->n = 0;
    return s;
}

int find(const struct set *s, int x) {
    for (const struct node *n = s->first; n; n = n->next)
        if (n->v == x)
            return 1;
    return 0;
}

void add(struct set *s, int x) {
    if (find(s, x))
        return;
    struct node *n = malloc(sizeof *n);
    n->v = x;
    n->next = s->first;
    s->first = n;
    s->n++;
}

void del(struct set *s, int x) {
    for (struct node **p = &s->first; *p; p = &(*p)->next)
        if ((*p)->v == x) {
            struct node *n = *p;
#ifdef BUG
            s->n -= p == &s->first;
#else
            s->n--;
#endif
            *p = n->next;
            free(n);
            return;
        }
}

int ok(const struct set *s) {
    int n = 0;
    for (const struct node *p = s->first; p; p = p->next)
        n++;
    return n == s->n;
}
