// tine-test: fn=length run-timeout=100ms verdict=bounded max-objects=3 reason=--max-objects paths=10
// Lists that end, and those that do not: of 0 to 3 nodes, and the last leads back to each.
struct node {
    struct node *next;
};

int length(struct node *p) {
    int n = 0;
    for (; p; p = p->next) n++;     //~ COVERED //~ ERROR endless loop
    return n;
}
