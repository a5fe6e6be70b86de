// tine-test: fn=wraps cflags=-fwrapv
#include <limits.h>
#include <stdlib.h>

void wraps(int x, int y, int z) {
    if (x - y < 0 && y - z < 0 && z - x < 0)
        abort(); //~ ERROR abort
    if (x > y && x - y == 0)
        abort(); //~ UNREACHABLE
    if (x > y && x - y == INT_MIN && y == -1)
        abort(); //~ ERROR abort
}
