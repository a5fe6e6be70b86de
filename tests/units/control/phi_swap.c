// tine-test: fn=phi_swap paths=3
// Values that change places in every round.
#include <tine.h>

int phi_swap(unsigned a, unsigned b) {
    unsigned x = a, y = b;
    for (int i = 0; i < 3; i++) {
        unsigned t = x;
        x = y;
        y = t + 2u * y;
    }
    if (x == 12u) {                         //~ COVERED
        tine_assert(y != 29u);              //~ ERROR assertion failure
        return (int)(a + b);
    }
    return 0;
}
