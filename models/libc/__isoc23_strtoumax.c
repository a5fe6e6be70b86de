#include <inttypes.h>
#include <stdlib.h>

#include "library.h"
#include "number.h"

ONLY_WITH_LIBRARY(__isoc23_strtoumax)

uintmax_t __isoc23_strtoumax(const char *restrict s, char **restrict end, int base) {
    struct number number = read_number(s, base, 1, ANY_WIDTH);
    if (end && number.end)
        *end = (char *)number.end;
    return to_unsigned(number);
}
