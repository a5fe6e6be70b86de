// tine-test: fn=sync_family
// The older __sync builtins.
#include <tine.h>

int sync_family(unsigned x, unsigned y) {
    unsigned cell = x;
    unsigned before = __sync_fetch_and_add(&cell, y);
    unsigned after = __sync_sub_and_fetch(&cell, 1u);
    if (after != before + y - 1u)
        return -1;                                              //~ UNREACHABLE
    if (__sync_bool_compare_and_swap(&cell, 99u, 100u)) {       //~ COVERED
        tine_assert(x != 60u || y != 40u);                      //~ ERROR assertion failure
        return cell == 100u ? 1 : -2;
    }
    if (__sync_lock_test_and_set(&cell, 1u) == 99u)
        return -3;                                              //~ UNREACHABLE
    __sync_synchronize();
    return 0;
}
