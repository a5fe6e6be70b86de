// tine-test: fn=pair
// CWE-190: a sum that does not fit. The twin asks before it adds.
#include <limits.h>

int bad(int a, int b) {
    if (a < 0 || b < 0)
        return 0;
    return a + b; //~ ERROR signed integer overflow
}

int good(int a, int b) {
    if (a < 0 || b < 0 || a > INT_MAX - b)
        return 0;
    return a + b;
}

int pair(int faulty, int a, int b) { return faulty ? bad(a, b) : good(a, b); }
