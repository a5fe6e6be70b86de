// tine-test: fn=get
// The twin of parameter.c that checks its parameter.
static int get_twice(const int *p, int twice) {
    if (twice)
        return p[0] & 7;
    return p[0] & 3;
}
int get(const int *p, int twice) {
    if (!p)
        return -1;
    if (twice > 10)
        return *p & 1;
    return get_twice(p, twice);
}
