// tine-test: fn=wraps cflags=-fwrapv paths=2
// With -fwrapv an overflow is not an error.
int wraps(int x) {
    if (x + 1 < x)                              //~ COVERED
        return 1;
    return 0;
}
