// tine-test: fn=do_while paths=4
// The body runs before the first test.
#include <tine.h>

int do_while(unsigned x) {
    int n = 0;
    do {
        n++;
        x >>= 8;
    } while (x != 0);                       //~ COVERED
    if (n > 4 || n < 1)
        return -1;                          //~ UNREACHABLE
    return n;
}
