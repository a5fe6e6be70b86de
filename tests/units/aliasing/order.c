// tine-test: fn=order paths=5
// Pointers have an order before they are used.
int order(int *p, int *q) {
    if (!p || !q)                       //~ COVERED
        return 0;
    if (p < q)                          //~ COVERED
        return 1;
    if (p > q)                          //~ COVERED
        return 2;
    return *p == *q;
}
