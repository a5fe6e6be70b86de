// tine-test: fn=nested_structs
// Arrays in structures in arrays.
#include <tine.h>

struct inner {
    char tag;
    short cells[3];
};
struct outer {
    int id;
    struct inner parts[2];
};

int nested_structs(unsigned i, unsigned j, unsigned k, short x) {
    struct outer t[2] = {{1, {{'a', {1, 2, 3}}, {'b', {4, 5, 6}}}}, {2, {{'c', {7, 8, 9}}, {'d', {10, 11, 12}}}}};
    t[i & 1].parts[j & 1].cells[k % 3] = x;
    if (t[1].parts[0].cells[2] == 1000)                                 //~ COVERED
        tine_assert((i & 1) != 1 || (j & 1) != 0 || k % 3 != 2);        //~ ERROR assertion failure
    tine_assert(t[i & 1].id == (int)(i & 1) + 1);
    tine_assert(t[i & 1].parts[j & 1].tag == (char)('a' + (i & 1) * 2 + (j & 1)));
    return 0;
}
