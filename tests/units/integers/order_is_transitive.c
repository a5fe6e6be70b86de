// tine-test: fn=ideal
// tine-test: fn=wraps cflags=-fwrapv
// tine-test: fn=bounded
// tine-test: fn=mixed
#include <limits.h>
#include <stdlib.h>

/* `long` has room for every difference of two `int`, so this is an order. */
void ideal(int x, int y, int z) {
    if ((long)x - y < 0 && (long)y - z < 0 && (long)z - x < 0)
        abort(); //~ UNREACHABLE
    if ((long)x - y < -3 && (long)y - z < -3 && (long)z - x == 8)
        abort(); //~ ERROR abort
}

void wraps(int x, int y, int z) {
    if (x - y < 0 && y - z < 0 && z - x < 0)
        abort(); //~ ERROR abort
    if (x > y && x - y == -1)
        abort(); //~ UNREACHABLE
    if (x > y && x - y == INT_MIN && y == -1)
        abort(); //~ ERROR abort
}

/* Overflow is impossible between these bounds. */
void bounded(int x, int y) {
    if (x < -1000 || x > 1000 || y < -1000 || y > 1000)
        return;
    if (x - y > 2000)
        abort(); //~ UNREACHABLE
    if (x - y == 2000 && x + y == 0)
        abort(); //~ ERROR abort
}

void mixed(unsigned x, unsigned y) {
    int a = (int)x, b = (int)y;
    if (x < y && a > b && a < 0)
        abort(); //~ UNREACHABLE
    if (x < y && a > b && y - x == 3)
        abort(); //~ ERROR abort
}
