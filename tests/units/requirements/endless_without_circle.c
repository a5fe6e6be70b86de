// tine-test: fn=find max-objects=3 verdict=bounded
// A loop that does not end for a list with an end is an error.
struct node {
    struct node *next;
    int v;
};
int find(const struct node *n, int v) {
    int steps = 0;
    while (n) {           //~ REQUIRES no circle of node.next
        if (n->v != v) {
            n = n->next;
            continue;
        }
        while (v == 77)   //~ ERROR endless loop
            steps ^= 1;
        return steps;
    }
    return -1;
}
