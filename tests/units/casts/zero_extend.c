// tine-test: fn=zero_extend
// A narrow unsigned value stays non-negative when it widens.
#include <tine.h>

int zero_extend(unsigned char a, unsigned short b, unsigned c) {
    long sum = (long)a + b + c;
    if (sum < 0)
        return -1;                          //~ UNREACHABLE
    if (sum == 255L + 65535L + 4294967295L) //~ COVERED
        tine_assert(a != 255);              //~ ERROR assertion failure
    return 0;
}
