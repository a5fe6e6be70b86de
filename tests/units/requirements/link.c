// tine-test: fn=concat
// A link of a list ends it: that it is not NULL is never a requirement.
struct list {
    struct list *next;
    int v;
};
int concat(struct list *a) {
    int v = a->v;               //~ REQUIRES a != NULL
    return a->next->v == v;     //~ ERROR null pointer dereference
}
