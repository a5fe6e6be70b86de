// tine-test: fn=overflow_wide exit=1
// 64 and 128 bits; narrow types overflow only through promotion.
int overflow_wide(long a, long b, unsigned short c, unsigned short d) {
    long sum = a + b;                       //~ ERROR signed integer overflow
    __int128 wide = (__int128)a + b;
    int product = c * d;                    //~ ERROR signed integer overflow
    short back = (short)(c + d);
    return (int)((sum ^ (long)wide ^ product ^ back) & 1);
}
