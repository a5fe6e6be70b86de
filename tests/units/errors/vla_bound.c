// tine-test: fn=vla_bound exit=1
// A variable-length array of no elements, or of fewer.
int vla_bound(int x) {
    int n = 4;
    if (x == 66)                            //~ COVERED
        n = 0;
    if (x == 67)                            //~ COVERED
        n = -3;
    char line[n];                           //~ ERROR variable-length array of non-positive size
    line[0] = 'x';
    return line[0];
}
