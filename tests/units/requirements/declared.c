// tine-test: fn=sum
// Declarations say what callers have to pass, even where the function checks it all the same.
__attribute__((nonnull(1))) int sum(const int *a, const int b[static 2]) {
    int s = (a[0] & 1) + (b[1] & 1); //~ REQUIRES a != NULL //~ REQUIRES b != NULL
    if (!a || !b)
        return 0;
    return s;
}
