// tine-test: fn=rest exit=1
// LONG_MIN % -1 traps, too.
long rest(long a, long b) {
    if (b >= 0)                             //~ COVERED
        return 0;
    return a % b;                           //~ ERROR division overflow
}
