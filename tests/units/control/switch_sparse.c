// tine-test: fn=switch_sparse paths=5
// Cases far apart, after arithmetic.
#include <tine.h>

int switch_sparse(unsigned x) {
    switch (x * 3u) {                   //~ COVERED
    case 9u:
        tine_assert(x == 4u);           //~ ERROR assertion failure
        return 1;
    case 3000000u:
        return 2;
    case 0xfffffffeu:                   // only by wrapping
        return 3;
    case 7u:
        return x > 100u ? 4 : -1;
    default:
        return 0;
    }
}
