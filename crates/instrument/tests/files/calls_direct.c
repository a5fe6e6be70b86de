// Calls inside the module pass shadows.
static int inner(int x) { return x + 1; }
int f(int x) { return inner(x) == 3; }
