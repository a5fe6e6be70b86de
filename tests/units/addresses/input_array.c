// tine-test: fn=input_array
// An index into an array that is itself an input, and grows to where it is needed.
#include <tine.h>

int input_array(const int *p, unsigned i) {
    tine_assume(p != 0 && i < 6);
    if (p[i] == 1234 && i == 4)                     //~ COVERED
        tine_assert(p[4] != 1234);                  //~ ERROR assertion failure
    if (p[i] != p[4] && i == 4)
        return -1;                                  //~ UNREACHABLE
    return 0;
}
