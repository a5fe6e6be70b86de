// tine-test: fn=first
// A member that is used without a check.
struct buffer {
    int n;
    const unsigned char *data;
};
struct reader {
    struct buffer in;
    int pos;
};
int first(const struct reader *r) {
    int n = r->in.n; //~ REQUIRES r != NULL
    if (n == 0)
        return -1;
    return r->in.data[0]; //~ REQUIRES r->in.data != NULL
}
