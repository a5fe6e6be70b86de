// tine-test: fn=first
// A member that another function of the file compares with NULL may be NULL.
struct buffer {
    int n;
    const unsigned char *data;
};
int is_empty(const struct buffer *b) {
    return b->data == 0 || b->n == 0;
}
int first(const struct buffer *b) {
    if (b->n == 0) //~ REQUIRES b != NULL
        return -1;
    return b->data[0]; //~ ERROR null pointer dereference
}
