// tine-test: fn=length max-objects=4 verdict=bounded
// A list that leads back to itself has no end; all other lists have.
struct node {
    struct node *next;
    int v;
};
int length(const struct node *n) {
    int count = 0;
    for (; n; n = n->next) //~ REQUIRES no circle of node.next
        count++;
    return count;
}
