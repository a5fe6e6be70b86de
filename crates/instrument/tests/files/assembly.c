// Assembly is not followed: its operands are reported.
int f(int x) {
    int r;
    __asm__("lea 1(%1), %0" : "=r"(r) : "r"(x));
    return r > 7;
}
