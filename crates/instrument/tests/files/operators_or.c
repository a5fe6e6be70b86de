// The last operand of `||` is a branch.
int f(int a, int b) {
    int r = a > 1 || b > 2;
    return r;
}
