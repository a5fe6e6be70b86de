// tine-test: fn=table_of_64k
// A table of 64 Ki entries.
#include <stdint.h>
#include <tine.h>

static uint16_t squares[65536];

int table_of_64k(uint16_t i) {
    for (unsigned n = 0; n < 65536; n++)
        squares[n] = (uint16_t)(n * n + 12345u);
    if (squares[i] == 12345 + 49)                           //~ COVERED
        tine_assert(i != 7);                                //~ ERROR assertion failure
    if (squares[i] == 12345 + 3)                            // 3 is not a square modulo 65536
        return -1;                                          //~ UNREACHABLE
    return 0;
}
