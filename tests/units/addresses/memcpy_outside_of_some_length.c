// tine-test: fn=memcpy_outside_of_some_length unnoticed
// A copy whose length only the run knows leaves the array that an input is added to.
#include <string.h>
#include <tine.h>

int memcpy_outside_of_some_length(unsigned char at, unsigned char n) {
    char text[8] = "abcdefg", other[8];
    if (at > 4 || n < 1 || n > 4)                               //~ COVERED
        return 0;
    memcpy(other, text + at + n, n);                            //~ ERROR out-of-bounds read
    tine_assert(other[0] == 'a' + at + n);
    return 0;
}
