// The size of a variable-length array is not a branch of the source.
int f(int n) {
    int a[n];
    a[0] = n;
    return a[0];
}
