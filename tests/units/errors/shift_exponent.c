// tine-test: fn=shift exit=1
// Shifting by the width or more, or by a negative amount.
unsigned shift(unsigned x, int n) {
    if (n < 0)                              //~ COVERED
        return x >> n;                      //~ ERROR invalid shift
    return x << n;                          //~ ERROR invalid shift
}
