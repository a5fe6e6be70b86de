#include <string.h>

int __signbit(double x) {
    long bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0;
}
