// tine-test: fn=input_array_written
// A write into an input at one index, a read at another.
#include <tine.h>

int input_array_written(unsigned char *p, unsigned i, unsigned j) {
    tine_assume(p != 0 && i < 5 && j < 5);
    unsigned char before = p[j];
    p[i] = 200;
    if (p[j] == 200 && before != 200)               //~ COVERED
        tine_assert(i != j);                        //~ ERROR assertion failure
    if (p[j] != before && i != j)
        return -1;                                  //~ UNREACHABLE
    return 0;
}
