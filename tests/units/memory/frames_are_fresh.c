// tine-test: fn=frames_are_fresh
// What a call left on the stack does not leak into the variables of the next one.
#include <tine.h>

static __attribute__((noinline)) unsigned leave(unsigned x) {
    volatile unsigned here[4];
    for (int i = 0; i < 4; i++)
        here[i] = x;
    return here[3];
}

static __attribute__((noinline)) unsigned reuse(void) {
    volatile unsigned here[4];
    for (int i = 0; i < 4; i++)
        here[i] = 5;
    return here[0] + here[3];
}

int frames_are_fresh(unsigned x) {
    unsigned left = leave(x);
    unsigned fresh = reuse();
    if (fresh != 10u)
        return -1;                          //~ UNREACHABLE
    tine_assert(left != 31337u);            //~ ERROR assertion failure
    return 0;
}
