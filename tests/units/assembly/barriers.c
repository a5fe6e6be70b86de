// tine-test: fn=barriers paths=3
// Assembly without instructions changes nothing, in registers and in memory.
#include <tine.h>

int barriers(int x, long y) {
    int in_memory = x;
    int *p = &in_memory;
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("" : "+r"(x));
    __asm__ volatile("" : "+r"(x), "+r"(y));
    __asm__ volatile("" : "+m"(in_memory) : "r"(p) : "memory");
    __asm__ volatile("# nothing here" : : "r"(x));
    if (x == 1234567)                                   //~ COVERED
        tine_assert(y != 7654321 || *p != x);           //~ ERROR assertion failure
    return 0;
}
