// tine-test: fn=generic_selection
// _Generic, _Static_assert and __typeof__ are decided by the compiler.
#include <tine.h>

#define SIZE_CLASS(x) _Generic((x), char: 1, short: 2, int: 4, long: 8, default: 0)
_Static_assert(SIZE_CLASS(1L) == 8, "long");

int generic_selection(short s, long l) {
    __typeof__(l) copy = l;
    __typeof__(+s) promoted = s;
    if (SIZE_CLASS(s) != 2 || SIZE_CLASS(promoted) != 4)
        return -1;
    if (copy == (long)promoted * 3 && s == 77)      //~ COVERED
        tine_assert(l != 231);              //~ ERROR assertion failure
    return 0;
}
