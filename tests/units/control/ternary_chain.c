// tine-test: fn=ternary_chain
// ?: nested to the right, with arms that have effects and so are branches.
#include <tine.h>

static int digit_count(int n) { return n; }

int ternary_chain(unsigned x) {
    int size = x < 10u     ? digit_count(1)     //~ COVERED
               : x < 100u  ? digit_count(2)     //~ COVERED
               : x < 1000u ? digit_count(3)     //~ COVERED
                           : digit_count(4);
    if (size == 3)                          //~ COVERED
        tine_assert(x != 999u);             //~ ERROR assertion failure
    return size;
}
