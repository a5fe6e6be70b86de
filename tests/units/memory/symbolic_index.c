// tine-test: fn=symbolic_index verdict=incomplete reason="address depends on the input"
// An index that is an input stays at its value, and the verdict says so.
// FIXME: arrays behind symbolic addresses are not modelled yet; then both sides are covered.
int symbolic_index(unsigned x) {
    static const int squares[4] = {0, 1, 4, 9};
    if (squares[x & 3u] == 9)
        return 1;
    return 0;
}
