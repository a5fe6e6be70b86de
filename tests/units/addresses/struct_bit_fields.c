// tine-test: fn=struct_bit_fields
// Bit-fields of an element: those beside the one that is written stay.
#include <tine.h>

struct flags {
    unsigned a : 3, b : 5, c : 11;
    signed d : 4;
};

int struct_bit_fields(unsigned i, unsigned j, unsigned x) {
    struct flags t[4] = {{1, 2, 3, -1}, {2, 4, 6, -2}, {3, 6, 9, -3}, {4, 8, 12, -4}};
    t[i & 3].b = x;
    struct flags f = t[j & 3];
    if (f.b == 29)                                          //~ COVERED
        tine_assert((i & 3) != (j & 3) || (x & 31) != 29);  //~ ERROR assertion failure
    tine_assert(f.c == f.a * 3 && f.d == -(int)f.a);
    if ((i & 3) != (j & 3))                                 //~ COVERED
        tine_assert(f.b == f.a * 2);
    return 0;
}
