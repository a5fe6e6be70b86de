// tine-test: fn=builtin_copy
// The builtins under their own names.
#include <tine.h>

int builtin_copy(long x, short y) {
    struct {
        char before;
        long value;
        short tail;
    } a, b;
    __builtin_memset(&a, 0x11, sizeof a);
    __builtin_memcpy(&a.value, &x, sizeof x);
    __builtin_memcpy_inline(&a.tail, &y, 2);
    __builtin_memmove(&b, &a, sizeof b);
    if (b.before != 0x11)
        return -1;                                  //~ UNREACHABLE
    if (b.value == 0x1111111111111112 && b.tail == 0x1112)      //~ COVERED
        tine_assert(x != 0x1111111111111112);       //~ ERROR assertion failure
    return 0;
}
