// tine-test: fn=example
// tine-test: fn=example lazy
// LCT, Example 6: both sides of a comparison of two objects that are in use already.
struct list {
    int value;
    struct list *next;
};

int example(struct list *l1, struct list *l2) {
    l1->value = l2->value;      //~ REQUIRES l1 != NULL //~ REQUIRES l2 != NULL
    if (l1 == l2)               //~ COVERED
        return 1;
    return 0;
}
