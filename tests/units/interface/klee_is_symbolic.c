// tine-test: program verdict=incomplete
// A program that asks whether KLEE runs it is told that it does not. What it would do else was not explored.
#include <klee/klee.h>

int main(void) {
    int x = klee_int("x");
    if (klee_is_symbolic((uintptr_t)x))
        return 1;
    klee_assert(x != 5);                    //~ ERROR assertion failure
    return 0;
}
