// tine-test: fn=mixed paths=2
// An index that is mixed from several inputs by `^` and masked is an index, not a pointer with a tag: nothing is
// concretised.
#include <stdint.h>

int mixed(uint8_t a, uint8_t b) {
    uint8_t table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    table[((uint64_t)a ^ b) & 7] = 0;
    if (table[a & 7] == 0)      //~ COVERED
        return 1;
    return 0;
}
