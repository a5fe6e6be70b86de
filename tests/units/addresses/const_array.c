// tine-test: fn=const_array
// Constants of the program are read like any others.
#include <tine.h>

static const unsigned short primes[10] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};

int const_array(unsigned i, unsigned j) {
    if (i >= 10 || j >= 10)                                     //~ COVERED
        return 0;
    if (primes[i] * primes[j] == 17 * 29 && i < j)              //~ COVERED
        tine_assert(i != 6);                                    //~ ERROR assertion failure
    if (primes[i] * primes[j] == 18)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
