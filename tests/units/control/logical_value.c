// tine-test: fn=logical_value
// && and || as values: the result joins from several blocks.
#include <tine.h>

int logical_value(int x, int y) {
    int both = x == 3 && y == 4;
    int any = x == 3 || y == 4;
    if (both > any)
        return -1;                          //~ UNREACHABLE
    tine_assert(both + any != 2);           //~ ERROR assertion failure
    return any;
}
