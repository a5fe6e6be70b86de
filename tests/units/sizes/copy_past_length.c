// tine-test: fn=h len=src=n unnoticed verdict=bounded
// All of a copy must lie in the array, not only its start.
#include <string.h>
static char out[16];
int h(const char *src, int n) {
    if (n < 1 || n > 4 || !src)
        return -1;
    memcpy(out, src, 4); //~ ERROR array index out of bounds
    return 0;
}
