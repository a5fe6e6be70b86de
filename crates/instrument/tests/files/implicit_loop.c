// A loop without a condition has no branch.
int f(int n) {
    for (;;) {
        if (n-- == 0)
            return 1;
    }
}
