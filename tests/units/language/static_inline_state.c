// tine-test: fn=static_state
// A static local of an inline function, and thread-local storage.
#include <tine.h>

static _Thread_local unsigned seed = 3;

static inline unsigned next(void) {
    static unsigned calls;
    calls++;
    seed = seed * 5u + calls;
    return seed;
}

int static_state(unsigned x) {
    seed ^= x;
    next();
    unsigned second = next();
    tine_assert(second != 25u * 12u + 5u + 2u);     //~ ERROR assertion failure
    if (x == 0 && second != 82u)
        return -1;                                  //~ UNREACHABLE
    return 0;
}
