// tine-test: fn=get requires=small
// Where the contract is stated, a violation is an error.
int small(const int *p, int i) {
    (void)p;
    return i >= 0 && i < 4;
}
int get(const int *p, int i) {
    return p[i] & 1; //~ ERROR null pointer dereference
}
