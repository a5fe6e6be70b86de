// tine-test: fn=multiply paths=2
// Multiplication by an odd number is a bijection: exactly one input passes. By two, the low bit is lost.
#include <tine.h>

int multiply(unsigned x) {
    if ((x * 2u) & 1u)
        return -1;                                  //~ UNREACHABLE
    tine_assert(x * 2654435761u != 0xdeadbeefu);    //~ ERROR assertion failure
    return 0;
}
