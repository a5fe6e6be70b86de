// tine-test: fn=lookup_switch
// A `switch` over what a table holds.
#include <tine.h>

int lookup_switch(unsigned char c) {
    static const unsigned char kinds[16] = {0, 1, 1, 2, 0, 3, 3, 3, 0, 0, 1, 4, 2, 2, 1, 0};
    switch (kinds[c & 15]) {                    //~ COVERED but 1: there is no other kind
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return 2;
    case 3:
        return 3;
    case 4:
        tine_assert((c & 15) != 11);            //~ ERROR assertion failure
        return 4;
    default:
        return -1;                              //~ UNREACHABLE
    }
}
