// tine-test: fn=overflow exit=1
// Each operation that can leave the range, one place each.
int overflow(int a, int b, int c, int d, int e) {
    int sum = a + 100;                      //~ ERROR signed integer overflow
    int difference = b - 100;               //~ ERROR signed integer overflow
    int product = c * 3;                    //~ ERROR signed integer overflow
    int negative = -d;                      //~ ERROR signed integer overflow
    e++;                                    //~ ERROR signed integer overflow
    return (sum ^ difference ^ product ^ negative ^ e) & 1;
}
