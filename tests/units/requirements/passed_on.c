// tine-test: fn=entry
// The function that uses the pointer compares it itself: an error, however it got there.
static int late(const int *p) {
    int x = *p; //~ ERROR null pointer dereference
    if (!p)
        return 0;
    return x & 1;
}
int entry(const int *p) {
    return late(p);
}
