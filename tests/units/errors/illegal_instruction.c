// tine-test: fn=trap exit=1
// The instruction that is meant to be illegal.
int trap(int x) {
    if (x == 6502)
        __builtin_trap();                   //~ ERROR illegal instruction
    return 0;
}
