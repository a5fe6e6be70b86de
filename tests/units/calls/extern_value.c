// tine-test: fn=extern_value verdict=incomplete reason="toupper"
// An input goes into code that tine has not compiled: what comes back is just a number.
#include <tine.h>

/* The library's own, not the model. */
int to_upper(int) __asm__("\01toupper");

int extern_value(int c) {
    if (c < 'a' || c > 'z')                 //~ COVERED
        return 0;
    int upper = to_upper(c);
    tine_assert(upper != c);
    return upper;
}
