// tine-test: fn=linked_by_remainder
// Links that are remainders: a solver has to see that they are small.
#include <tine.h>

int linked_by_remainder(unsigned a, unsigned b, unsigned c) {
    unsigned next[3] = {a % 3, b % 3, c % 3};
    unsigned at = 0;
    for (int k = 0; k < 4; k++)
        at = next[at];
    if (at == 2 && next[0] == 1)                                        //~ COVERED
        tine_assert(b % 3 != 2 || c % 3 != 2);                          //~ ERROR assertion failure
    if (at == 1 && a % 3 == 0)
        return -1;                                                      //~ UNREACHABLE
    return 0;
}
