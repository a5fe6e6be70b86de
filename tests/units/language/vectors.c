// tine-test: fn=vectors
// What computes with vectors computes with their elements.
#include <tine.h>

typedef int four __attribute__((vector_size(16)));
typedef float four_floats __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((vector_size(16)));

static four scaled(four v, int k) { return v * k + 1; }

int vectors(int a, int b, int c, unsigned i, float x) {
    four v = {a, b, c, 4};
    four w = scaled(v, 3);
    if (w[1] == 100 && i < 4 && w[i] == 31)         //~ COVERED
        return 1;
    four is_more = v > w;
    if (is_more[2] == -1)                           //~ COVERED
        tine_assert(c != -1000);                    //~ ERROR assertion failure
    four_floats f = {x, 1, 2, 3};
    f *= 2.0f;
    if (f[0] == 9.0f)                               //~ COVERED
        return 3;
    union {
        bytes b;
        int words[4];
    } u = {{0}};
    u.words[1] = a;
    if (u.b[5] == 0x7f)                             //~ COVERED
        return 4;
    four mixed = __builtin_shufflevector(v, w, 3, 2, 1, 4);
    if (mixed[2] == 77 && mixed[3] == 10)           //~ COVERED
        tine_assert(a != 3);                        //~ ERROR assertion failure
    return 0;
}
