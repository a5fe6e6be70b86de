// tine-test: fn=gray_code paths=2
// Shifts and xors that mix every bit: one preimage.
#include <tine.h>

int gray_code(unsigned x) {
    unsigned gray = x ^ (x >> 1);
    tine_assert(gray != 0xc0ffee42u);       //~ ERROR assertion failure
    return 0;
}
