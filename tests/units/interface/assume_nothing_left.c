// tine-test: program paths=0 exit=0
// Assumptions that exclude each other leave no path.
#include <tine.h>

int main(void) {
    unsigned x = tine_uint("x");
    tine_assume(x > 10u);
    tine_assume(x < 5u);
    tine_assert(0);
    return 0;
}
