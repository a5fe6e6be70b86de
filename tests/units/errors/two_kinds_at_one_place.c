// tine-test: fn=f
// The check does not explain the signal, so both are errors.
int *volatile nowhere = (int *)16;
int f(int x) {
    if (x != 7)
        return 0;
    return nowhere[(x + 2147483647) * 0]; //~ ERROR signed integer overflow //~ ERROR invalid memory access
}
