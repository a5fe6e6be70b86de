// tine-test: fn=fall exit=1
// Recursion that ends only long after the stack does. On one line, for the fault may be in any part of it.
static unsigned down(unsigned n) { volatile unsigned f[32]; f[n % 32u] = n; return n ? down(n - 1u) + f[n % 32u] : 0; }  //~ ERROR stack overflow

int fall(int x) {
    if (x == 123456)                        //~ COVERED
        return (int)down(~0u);
    return 0;
}
