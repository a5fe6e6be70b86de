// tine-test: fn=below verdict=bounded reason="addresses of input objects"
// tine-test: fn=inside verdict=bounded reason="addresses of input objects"
// tine-test: fn=high
// tine-test: fn=odd
// Where input objects lie relative to the program's own variables: tine places them elsewhere, which is a bound and not a
// proof. A pointer that is not used may hold any number, also one that is not the address of an object.
#include <stdint.h>

int variables[4];

int below(int *p) {
    if (p >= variables)
        return 1; //~ UNREACHABLE
    return 0;
}

int inside(int *p) {
    if (p - variables == 2)
        return 1; //~ UNREACHABLE
    return 0;
}

int high(int *p) {
    if ((uintptr_t)p >> 44 == 5)
        return 1;
    return 0;
}

int odd(int *p) {
    if ((uintptr_t)p & 1)
        return 1;
    return 0;
}
