// tine-test: program verdict=incomplete
// `klee_is_symbolic` returns 0. The code for the other result is not explored.
#include <klee/klee.h>

int main(void) {
    int x = klee_int("x");
    if (klee_is_symbolic((uintptr_t)x))
        return 1;
    klee_assert(x != 5);                    //~ ERROR assertion failure
    return 0;
}
