// tine-test: program
// A program written for CUTE: any variable, and conditions on it.
#include <cute.h>

struct range {
    short low, high;
};

int main(void) {
    int x;
    double d;
    struct range r;
    CUTE_input(x);
    CUTE_input(d);
    CUTE_input(r);
    CUTE_assume(r.low <= r.high);
    if (r.low > r.high)
        return 1;                                   //~ UNREACHABLE
    if (x > r.low && x < r.high && d == 0.75)       //~ COVERED
        CUTE_assert(x != 123);                      //~ ERROR assertion failure
    return 0;
}
