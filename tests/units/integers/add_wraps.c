// tine-test: fn=add_wraps paths=3
// Unsigned addition wraps: the guard holds only on the far side of the wrap.
#include <tine.h>

int add_wraps(unsigned x) {
    unsigned y = x + 0x10u;
    if (y < 0x10u) {                        //~ COVERED
        tine_assert(x != 0xfffffff7u);      //~ ERROR assertion failure
        return 1;
    }
    return 0;
}
