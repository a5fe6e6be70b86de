// tine-test: fn=both max-objects=1 verdict=bounded
// There may be no second object, so both pointers point to the first.
#include <stdlib.h>

void both(int *a, int *b) {
    if (!a || !b)               //~ COVERED
        return;
    *a = 1;
    *b = 2;
    if (*a == 2)                //~ COVERED but 1: it takes two objects
        abort();                //~ ERROR abort
}
