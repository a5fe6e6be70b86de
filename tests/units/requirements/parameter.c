// tine-test: fn=get
// One requirement, however many places use the parameter.
static int get_twice(const int *p, int twice) {
    if (twice)
        return p[0] & 7;
    return p[0] & 3; //~ REQUIRES p != NULL
}
int get(const int *p, int twice) {
    if (twice > 10)
        return *p & 1;
    return get_twice(p, twice);
}
