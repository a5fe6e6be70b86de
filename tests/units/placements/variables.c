// tine-test: fn=below verdict=bounded reason="addresses of input objects"
// tine-test: fn=inside verdict=bounded reason="addresses of input objects"
// tine-test: fn=high verdict=bounded reason="addresses of input objects"
// tine-test: fn=odd
// Where inputs lie to the program's own variables, and where in the address space: tine places them elsewhere, which is a
// bound and no proof. That they are aligned is one.
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
        return 1; //~ UNREACHABLE
    return 0;
}

int odd(int *p) {
    if ((uintptr_t)p & 1)
        return 1; //~ UNREACHABLE
    return 0;
}
