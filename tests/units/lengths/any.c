// tine-test: fn=sum len="values=any" verdict=bounded reason="--max-elements"
// The array is longer than the names suggest.
int sum(const int *values, int n) {
    int total = 0;
    for (int i = 0; i <= n; i++)
        total ^= values[i]; //~ REQUIRES values != NULL
    return total;
}
