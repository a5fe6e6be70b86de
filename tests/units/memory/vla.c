// tine-test: fn=vla
// An array whose length is known only at run time, but is not an input.
#include <tine.h>

static int length(void) { return 3; }

int vla(short x, short y) {
    int n = length();
    short v[n][2];
    for (int i = 0; i < n; i++) {
        v[i][0] = x;
        v[i][1] = (short)(y ^ i);
    }
    if (sizeof v != 12)
        return -1;                          //~ UNREACHABLE
    if (v[2][0] == 8 && v[2][1] == 9)       //~ COVERED
        tine_assert(y != 11);               //~ ERROR assertion failure
    return 0;
}
