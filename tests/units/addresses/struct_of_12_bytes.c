// tine-test: fn=struct_of_12_bytes
// A table of structures whose size is not a power of two.
#include <tine.h>

struct entry {
    int key;
    short low, high;
    int value;
};

int struct_of_12_bytes(unsigned i) {
    static const struct entry t[5] = {{1, 2, 3, 40}, {5, 6, 7, 80}, {9, 10, 11, 120}, {13, 14, 15, 160}, {17, 18, 19, 200}};
    const struct entry *e = &t[i % 5];
    if (e->high == 15)                                      //~ COVERED
        tine_assert(e->value != 160);                       //~ ERROR assertion failure
    tine_assert(e->key * 10 + 30 == e->value);
    tine_assert(e->low == e->key + 1 && e->high == e->low + 1);
    return 0;
}
