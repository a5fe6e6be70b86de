// tine-test: fn=invalid_builtin
// Counting the zeros of zero has no defined answer, not even the machine's: the run stops there.
int invalid_builtin(unsigned x, unsigned long y) {
    int leading = __builtin_clz(x ^ 0x1000u);       //~ ERROR invalid argument of a builtin
    return leading + __builtin_ctzl(y - 77UL);      //~ ERROR invalid argument of a builtin
}
