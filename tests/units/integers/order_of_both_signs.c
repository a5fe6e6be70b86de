// tine-test: fn=mixed
#include <stdlib.h>

void mixed(unsigned x, unsigned y) {
    int a = (int)x, b = (int)y;
    if (x < y && a > b && a < 0)
        abort(); //~ UNREACHABLE
    if (x < y && a > b && y - x == 3)
        abort(); //~ ERROR abort
}
