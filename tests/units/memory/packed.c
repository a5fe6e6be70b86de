// tine-test: fn=packed
// Fields at odd addresses.
#include <tine.h>

struct __attribute__((packed)) record {
    char tag;
    int number;
    short half;
    long wide;
};

_Static_assert(sizeof(struct record) == 15, "no padding");

int packed(int a, short b, long c) {
    struct record r = {'x', a, b, c};
    struct record copy = r;
    copy.half = (short)(copy.half ^ 0x0ff0);
    if (copy.number == 0x01020304 && copy.half == 0x1234 && copy.wide == -5) {      //~ COVERED
        if (copy.tag != 'x')
            return -1;                      //~ UNREACHABLE
        tine_assert(b != 0x1dc4);           //~ ERROR assertion failure
    }
    return 0;
}
