// tine-test: fn=misaligned input="s is placed 3 bytes after a multiple of 16"
// The path determines where a string begins.
#include <stdint.h>
#include <stdlib.h>

int misaligned(const char *s) {
    if (!s)                             //~ COVERED
        return 0;
    if (*s == 'a' && ((uintptr_t)s & 7) == 3)   //~ COVERED
        abort();                        //~ ERROR abort
    return 1;
}
