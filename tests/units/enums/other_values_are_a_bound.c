// tine-test: fn=f verdict=bounded reason=--any-enum infeasible=0
// A branch that only a value without enumerator takes is not infeasible: the verdict names the bound.
#include <stdlib.h>

enum colour { RED, GREEN, BLUE };

int f(enum colour c) {
    if (c == 7)
        abort(); //~ UNREACHABLE
    if (c == BLUE) //~ COVERED
        return 2;
    return 1;
}
