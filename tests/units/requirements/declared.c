// tine-test: fn=second cflags=-w
// A declaration says what callers have to pass, even where the function checks it all the same.
int second(const int b[static 2]) {
    int s = b[1] & 1; //~ REQUIRES b != NULL
    if (!b)
        return 0;
    return s;
}
