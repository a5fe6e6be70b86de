// tine-test: fn=compare_exchange
// Compare and swap: the branch, the new value, and the value reported back.
#include <stdatomic.h>
#include <tine.h>

int compare_exchange(long x, long guess) {
    atomic_long cell = x;
    long expected = guess;
    if (atomic_compare_exchange_strong(&cell, &expected, 7L)) {     //~ COVERED
        if (x != guess || cell != 7)
            return -1;                                              //~ UNREACHABLE
        tine_assert(x != 0x600000000L);                             //~ ERROR assertion failure
        return 1;
    }
    if (expected != x || cell != x)
        return -2;                                                  //~ UNREACHABLE
    return 0;
}
