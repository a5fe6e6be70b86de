// tine-test: fn=trap cflags="-fno-sanitize=integer-divide-by-zero" exit=1
// With the check switched off, the processor still refuses.
int trap(int x) {
    volatile int zero = 0;
    if (x == 8086)                          //~ COVERED
        return 10 / zero;                   //~ ERROR arithmetic trap
    return 0;
}
