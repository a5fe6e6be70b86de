// tine-test: fn=without_inputs paths=2
// Assembly that no input reaches is just run.
#include <tine.h>

int without_inputs(int x) {
    unsigned sum = 40;
    __asm__ volatile("nop");
    __asm__ volatile("" ::: "memory");
    __asm__("addl %1, %0" : "+r"(sum) : "r"(2u) : "cc");
    tine_assert(x != (int)sum * 100);       //~ ERROR assertion failure
    return 0;
}
