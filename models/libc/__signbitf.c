#include <string.h>

int __signbitf(float x) {
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0;
}
