// tine-test: fn=entry
// That another callee accepts NULL does not mean that the function may be called with it.
static int is_set(const int *p) {
    return p != 0;
}
int entry(const int *p) {
    int x = *p & 1; //~ REQUIRES p != NULL
    return is_set(p) + x;
}
