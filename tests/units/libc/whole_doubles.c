// tine-test: fn=whole_doubles
// Numbers without a fraction are written digit by digit, whatever their type is.
#include <stdio.h>
#include <string.h>
#include <tine.h>

void whole_doubles(signed char x) {
    char text[16];
    snprintf(text, sizeof text, "%g %.1f", (double)x, (double)x / 2 * 2);
    tine_assert(strcmp(text, "-42 -42.0"));         //~ ERROR assertion failure
}
