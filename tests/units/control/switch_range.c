// tine-test: fn=switch_range
// Ranges of cases: a short one is a list of values, a long one a pair of comparisons.
#include <tine.h>

int switch_range(int x) {
    switch (x) {
    case 10 ... 19:
        tine_assert(x != 17);           //~ ERROR assertion failure
        return 1;
    case 1000 ... 5000:
        if (x == 999 || x == 5001)
            return -1;                  //~ UNREACHABLE
        if (x == 5000)                  //~ COVERED
            return 2;
        return 3;
    default:
        return 0;
    }
}
