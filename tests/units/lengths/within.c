// tine-test: fn=sum verdict=bounded reason="--max-elements"
// As off_by_one.c, without its error. Lengths beyond the bound are explored up to the bound.
int sum(const int *values, int n) {
    int total = 0;
    if (n > 1000)
        return -1; //~ COVERED
    for (int i = 0; i < n; i++)
        total ^= values[i]; //~ REQUIRES values != NULL
    return total;
}
