// tine-test: fn=while_loop
// A loop that ends when the data says so: the number of low zero bits.
#include <tine.h>

int while_loop(unsigned char x) {
    int n = 0;
    if (x == 0)                             //~ COVERED
        return 8;
    while ((x & 1) == 0) {                  //~ COVERED
        x >>= 1;
        n++;
    }
    if (n > 7)
        return -1;                          //~ UNREACHABLE
    tine_assert(n != 6 || x != 3);          //~ ERROR assertion failure
    return n;
}
