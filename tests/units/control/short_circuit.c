// tine-test: fn=short_circuit
// The right side is evaluated only when it decides.
#include <tine.h>

static int calls;

static int counted(int truth) {
    calls++;
    return truth;
}

int short_circuit(int x, int y) {
    if (x == 5 && counted(y == 7))          //~ COVERED
        tine_assert(calls != 1);            //~ ERROR assertion failure
    if (x != 5 && calls != 0)
        return -2;                          //~ UNREACHABLE
    if (x > 0 || counted(y > 0))            //~ COVERED
        return calls;
    return 0;
}
