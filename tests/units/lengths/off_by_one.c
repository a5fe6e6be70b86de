// tine-test: fn=sum verdict=bounded reason="--max-elements" unnoticed
// The loop shows that `values` has `n` elements.
int sum(const int *values, int n) {
    int total = 0;
    for (int i = 0; i <= n; i++)
        total ^= values[i]; //~ REQUIRES values != NULL //~ ERROR array index out of bounds
    return total;
}
