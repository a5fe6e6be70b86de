// tine-test: fn=designated_initialiser
// Places by name; what is not named is zero; runs of elements.
#include <tine.h>

int designated_initialiser(int x, int y) {
    int v[8] = {[6] = x, 7, [2] = 20, [3 ... 4] = y};
    if (v[0] != 0 || v[5] != 0 || v[7] != 7)
        return -1;                          //~ UNREACHABLE
    if (v[2] != 20)
        return -2;                          //~ UNREACHABLE
    if (v[3] == 61 && v[6] == 16)          //~ COVERED
        tine_assert(x != 16);               //~ ERROR assertion failure
    return 0;
}
