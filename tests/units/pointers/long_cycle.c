// tine-test: fn=long_cycle run-timeout=100ms verdict=bounded max-objects=10 reason=--max-objects paths=66
// Rounds of a loop without end count from where a run was to go another way: lists of up to 10 nodes, and the last leads
// back to each.
struct node {
    struct node *next;
};

int long_cycle(struct node *p) {
    int n = 0;
    for (; p; p = p->next) n++;     //~ COVERED //~ ERROR endless loop
    return n;
}
