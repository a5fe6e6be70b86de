// tine-test: fn=overlap verdict=incomplete reason="input arrays that overlap were tried only at elements read before"
// Elements of one array that are written after the other array's pointer was used: not all ways to overlap are tried, and
// the verdict says so.
int overlap(int *a, int *b) {
    if (!a || !b)                       //~ COVERED
        return 0;
    a[0] = 1;
    a[1] = 2;
    return b[0] == 2;
}
