// tine-test: fn=memcpy_to_address
// A block is copied to a place that an input chooses.
#include <string.h>
#include <tine.h>

int memcpy_to_address(unsigned i, unsigned j, unsigned char x) {
    unsigned char a[16] = {0}, block[5] = {1, 2, x, 4, 5};
    memcpy(a + i % 12, block, sizeof block);
    if (a[9] == 0xee)                                           //~ COVERED
        tine_assert(x != 0xee || i % 12 != 7);                  //~ ERROR assertion failure
    int sum = 0;
    for (int k = 0; k < 16; k++)
        sum += a[k];
    tine_assert(sum == 12 + x);
    if (a[j % 16] == 4 && x < 4 && j % 16 != i % 12 + 3)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
