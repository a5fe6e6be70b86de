// tine-test: fn=compound_assignment paths=2
// Operators on atomic objects; multiplication is a loop around compare and swap.
#include <tine.h>

int compound_assignment(unsigned x) {
    _Atomic unsigned a = x;
    a += 3u;
    a++;
    a *= 5u;
    a <<= 2;
    if (a == 200u)                      //~ COVERED
        tine_assert(x == 7u);           //~ ERROR assertion failure
    return 0;
}
