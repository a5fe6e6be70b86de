// Comparisons of floating-point numbers are branches.
int f(double x) {
    if (x < 0.5)
        return 1;
    return 0;
}
