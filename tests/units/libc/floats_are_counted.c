// tine-test: program verdict=incomplete reason="snprintf"
// Floating point is formatted by the library: that is said, and nothing else is lost.
#include <stdio.h>
#include <string.h>
#include <tine.h>

int main(void) {
    char text[64];
    float x = tine_float("x");
    int n = tine_int("n");
    snprintf(text, sizeof text, "%x %f", n & 15, x);
    if (text[0] == 'c')                                     //~ COVERED
        return 1;
    return 0;
}
