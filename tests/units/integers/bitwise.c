// tine-test: fn=bitwise paths=4
// and, or, xor and complement on the same input.
#include <tine.h>

int bitwise(unsigned x) {
    if ((x & 0xff00ff00u) == 0x12003400u)           //~ COVERED
        if ((x | 0xff00ff00u) == 0xff56ff78u)       //~ COVERED
            tine_assert((x ^ ~0u) != 0xeda9cb87u);  //~ ERROR assertion failure
    if ((x & ~x) != 0)
        return -1;                                  //~ UNREACHABLE
    if (x == 1)                                     //~ COVERED
        return 1;
    return 0;
}
