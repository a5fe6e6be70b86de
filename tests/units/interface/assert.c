// tine-test: program paths=4
// Conditions of every scalar type.
#include <stddef.h>
#include <tine.h>

int main(void) {
    int x = tine_int("x");
    double d = tine_double("d");
    const char *p = "text";
    if (x == 3)                             //~ COVERED
        p = NULL;
    tine_assert(p);                         //~ ERROR assertion failure
    tine_assert(d - 0.5);                   //~ ERROR assertion failure
    tine_assert(x & 4);                     //~ ERROR assertion failure
    return 0;
}
