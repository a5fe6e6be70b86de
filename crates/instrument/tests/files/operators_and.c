// The last operand of `&&` is a branch.
int f(int a, int b) { return a > 1 && b > 2; }
