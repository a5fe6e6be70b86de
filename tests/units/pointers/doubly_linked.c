// tine-test: fn=remove requires=is_ring ensures=is_still_ring max-objects=4 verdict=bounded
// A ring of doubly linked nodes: the precondition makes it, and removing keeps it.
struct node {
    struct node *next, *prev;
};

static int is_ring_from(const struct node *first) {
    const struct node *n = first;
    for (int k = 0; k < 5; k++) {
        if (!n || !n->next || n->next->prev != n)
            return 0;
        n = n->next;
        if (n == first)
            return 1;
    }
    return 0;
}

int is_ring(struct node *head) { return is_ring_from(head); }
int is_still_ring(struct node *head) { return is_ring_from(head); }

void remove(struct node *head) {
    struct node *n = head->next;
    if (n == head)                              //~ COVERED
        return;
    n->prev->next = n->next;
    n->next->prev = n->prev;
}
