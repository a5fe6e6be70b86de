// tine-test: fn=length run-timeout=100ms verdict=bounded max-objects=3 reason=--max-objects paths=10 strict
// tine-test: fn=length run-timeout=100ms verdict=bounded max-objects=10 reason=--max-objects paths=66 strict
// Lists that end, and those that do not: of 0 to 3 nodes, or to 10, and the last leads back to each. Rounds of a loop without
// end count from where a run was to go another way.
struct node {
    struct node *next;
};

int length(struct node *p) {
    int n = 0;
    for (; p; p = p->next) n++;     //~ COVERED //~ ERROR endless loop
    return n;
}
