// tine-test: fn=pair
// CWE-822: a number is followed as a pointer. The twin makes numbers of pointers, and pointers of these.
#include <stdint.h>

int bad(unsigned x) {
    int value = 3, *p = &value;
    if (x == 0xabc000)
        p = (int *)(uintptr_t)x;
    return *p; //~ ERROR invalid memory access
}

int good(unsigned x) {
    int value = 3;
    uintptr_t p = (uintptr_t)&value;
    if (x == 0xabc000)
        p |= 3;
    return *(int *)(p & ~(uintptr_t)3);
}

int pair(int faulty, unsigned x) { return faulty ? bad(x) : good(x); }
