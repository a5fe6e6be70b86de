// A two-way branch has two sides.
int f(int x) {
    if (x > 2)
        return 1;
    return 0;
}
