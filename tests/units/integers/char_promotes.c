// tine-test: fn=char_promotes
// Sums of chars are ints; only storing them back truncates.
#include <tine.h>

int char_promotes(unsigned char a, unsigned char b) {
    unsigned char sum = (unsigned char)(a + b);
    if (sum == 4 && a + b != 4) {           //~ COVERED
        if (a + b != 260)
            return -1;                      //~ UNREACHABLE
        tine_assert(a != 255);              //~ ERROR assertion failure
    }
    return 0;
}
