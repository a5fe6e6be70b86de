// tine-test: fn=caller exit=1
// The error belongs to the line that fails, not to the one that calls.
static int inverse(int n) {
    return 1000 / n;                        //~ ERROR division by zero
}

int caller(int x) {
    if (x == 17)                            //~ COVERED
        return inverse(x - 17);
    return inverse(1);
}
