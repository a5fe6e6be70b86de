/* A recursive function. */
static int depth(unsigned n, int step) {
    if (n == 0)                     //~ DECIDES INFLUENCED
        return 0;
    return step + depth(n - 1, step + 1);   //~ TARGET
}
int f(unsigned char n, int b) {
    int unused = 0;
    if (b)                          //~ UNRELATED
        unused = 1;
    if (depth(n % 4, 1) == 6)       //~ INFLUENCED
        return 1;
    return unused;
}
