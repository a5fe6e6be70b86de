// tine-test: fn=bounded
#include <stdlib.h>

/* Overflow is impossible between these bounds. */
void bounded(int x, int y) {
    if (x < -1000 || x > 1000 || y < -1000 || y > 1000)
        return;
    if (x - y > 2000)
        abort(); //~ UNREACHABLE
    if (x - y == 2000 && x + y == 0)
        abort(); //~ ERROR abort
}
