// tine-test: fn=ideal
#include <stdlib.h>

/* `long` has room for every difference of two `int`, so this is an order. */
void ideal(int x, int y, int z) {
    if ((long)x - y < 0 && (long)y - z < 0 && (long)z - x < 0)
        abort(); //~ UNREACHABLE
    if ((long)x - y < -3 && (long)y - z < -3 && (long)z - x == 8)
        abort(); //~ ERROR abort
}
