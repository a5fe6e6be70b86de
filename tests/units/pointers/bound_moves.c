// tine-test: fn=count requires=are_lists max-objects=3 verdict=bounded paths=13
// The bound is on the objects of a path: those of one list must not keep the other from growing. Lists of i and j nodes
// with i + j at most 3 are 10 pairs; three of them can share their last node, too.
struct node {
    struct node *next;
};

int are_lists(struct node *a, struct node *b) {
    int n = 0;
    for (; a && n < 4; a = a->next)
        n++;
    for (; b && n < 4; b = b->next)
        n++;
    return n < 4;
}

int count(struct node *a, struct node *b) {
    int n = 0;
    for (; a; a = a->next)      //~ COVERED
        n++;
    for (; b; b = b->next)      //~ COVERED
        n--;
    return n;
}
