// tine-test: fn=counting_sort
// How often a value occurs.
#include <tine.h>

int counting_sort(unsigned char a, unsigned char b, unsigned char c) {
    unsigned char count[4] = {0};
    count[a & 3]++;
    count[b & 3]++;
    count[c & 3]++;
    tine_assert(count[0] + count[1] + count[2] + count[3] == 3);
    if (count[2] == 2 && count[0] == 1)                                 //~ COVERED
        tine_assert((b & 3) != 0);                                      //~ ERROR assertion failure
    return 0;
}
