// tine-test: fn=wrap_around exit=1
// % has the same trap, without sign and with 64 bits.
int wrap_around(unsigned long n, unsigned size) {
    unsigned half = size / 2u;
    return (int)(n % half);                 //~ ERROR division by zero
}
