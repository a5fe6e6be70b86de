// tine-test: fn=f
// Set under a condition, read under the same one.
int f(int k) {
    int a[3], set = 0;
    for (int i = 0; i < 3; i++)
        if (k >> i & 1) {
            a[i] = i + 1;
            set |= 1 << i;
        }
    int sum = 0;
    for (int i = 0; i < 3; i++)
        if (set >> i & 1)
            sum += a[i];
    if (sum == 6)
        return 1;
    return 0;
}
