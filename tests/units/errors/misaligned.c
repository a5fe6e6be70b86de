// tine-test: fn=misaligned exit=1
// An int at an odd address: reported, and the machine reads it all the same.
#include <tine.h>

int misaligned(int x) {
    _Alignas(8) unsigned char raw[12] = {0, 0, 0, 0, 1, 2, 3, 4, 5};
    int offset = 4;
    if (x == 500)                           //~ COVERED
        offset = 5;
    int *p = (int *)(raw + offset);
    int value = *p;                         //~ ERROR misaligned access
    if (x == 500)
        tine_assert(value == 0x05040302);
    return value;
}
