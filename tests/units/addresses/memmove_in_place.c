// tine-test: fn=memmove_in_place
// A block is moved inside one array.
#include <string.h>
#include <tine.h>

int memmove_in_place(unsigned i) {
    unsigned char a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    i %= 6;
    memmove(a + i, a + i + 1, 2);
    if (a[3] == 5 && a[4] == 6)                                 //~ COVERED
        tine_assert(i != 3);                                    //~ ERROR assertion failure
    tine_assert(a[i + 1] == i + 3 && a[i + 2] == i + 3);
    return 0;
}
