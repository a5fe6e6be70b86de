// tine-test: program verdict=incomplete
// A value that the program asks to be made concrete.
#include <klee/klee.h>

int main(void) {
    int x = klee_int("x");
    if (x < 0)                              //~ COVERED
        return 1;
    int fixed = klee_get_value_i32(x);
    if (fixed < 0)
        return 2;                           //~ UNREACHABLE
    return 0;
}
