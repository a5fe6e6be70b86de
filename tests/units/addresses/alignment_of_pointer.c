// tine-test: fn=alignment_of_pointer
// The low bits of an address that depends on an input.
#include <stdint.h>
#include <stdlib.h>
#include <tine.h>

int alignment_of_pointer(unsigned i) {
    char *a = malloc(32);
    if (!a)
        exit(0);
    char *p = a + (i & 31);
    if (((uintptr_t)p & 7) == 5 && (i & 31) > 24)               //~ COVERED
        tine_assert((i & 31) != 29);                            //~ ERROR assertion failure
    if (((uintptr_t)p & 7) == 3 && (i & 1) == 0)
        return -1;                                              //~ UNREACHABLE
    free(a);
    return 0;
}
