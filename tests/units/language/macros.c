// tine-test: fn=macros
// Branches from macros belong to the line that uses them.
#include <tine.h>

#define BETWEEN(x, low, high) ((low) <= (x) && (x) < (high))
#define MAX_OF(a, b) ((a) > (b) ? (a) : (b))

int macros(int x, int y) {
    if (BETWEEN(x, 10, 20))                         //~ COVERED
        tine_assert(MAX_OF(x, y) != 15 || x > y);   //~ ERROR assertion failure
    return 0;
}
