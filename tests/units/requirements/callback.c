// tine-test: fn=each
// A function that is called through a member without a check.
struct handlers {
    int (*on_item)(int);
    int (*on_end)(int);
};
int twice(int x) {
    return x < 10 && x > -10 ? 2 * x : 0;
}
int (*const known)(int) = twice;
int each(const struct handlers *h, int n) {
    int r = h->on_item(n); //~ REQUIRES h != NULL //~ REQUIRES h->on_item != NULL
    if (h->on_end)
        r = h->on_end(r);
    return r;
}
