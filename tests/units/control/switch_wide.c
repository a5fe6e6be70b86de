// tine-test: fn=switch_wide
// On 128 bits.
#include <tine.h>

int switch_wide(unsigned long high, unsigned long low) {
    switch ((unsigned __int128)high << 64 | low) {          //~ COVERED
    case (unsigned __int128)1 << 64 | 2:
        tine_assert(high != 1 || low != 2);                 //~ ERROR assertion failure
        return 1;
    case 3:
        return 2;
    default:
        return 0;
    }
}
