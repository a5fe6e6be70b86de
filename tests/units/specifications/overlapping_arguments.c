// tine-test: fn=move spec=libc/overlap
// The specification of arguments that must not overlap.
#include <string.h>

int move(unsigned char by, unsigned char n) {
    static char text[64];
    if (by > 20 || n > 20)
        return 1;
    memcpy(text, text + 32, n);
    if (by)
        memcpy(text, text + by, n); //~ ERROR specification violated
    return text[0];
}
