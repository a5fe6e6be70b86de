// tine-test: fn=many_arguments
// More arguments than registers.
#include <tine.h>

static long weigh(long a, int b, short c, char d, long e, int f, long g, unsigned char h, int i, long j) {
    return (a & 1) + (b & 2) + (c & 4) + (d & 8) + (e & 16) + (f & 32) + (g & 64) + (h & 128) + (i & 256) + (j & 512);
}

int many_arguments(int x, int y) {
    long sum = weigh(x, y, 4, 8, x, y, x, (unsigned char)y, x, y);
    if (sum == 1023) {                              //~ COVERED
        tine_assert(x != 0x12f51);                  //~ ERROR assertion failure
        return (x & 0x151) == 0x151 ? 1 : -1;
    }
    return 0;
}
