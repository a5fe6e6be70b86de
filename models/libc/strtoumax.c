#include <inttypes.h>
#include <stdlib.h>

#include "number.h"

uintmax_t strtoumax(const char *restrict s, char **restrict end, int base) {
    struct number number = read_number(s, base, 0, ANY_WIDTH);
    if (end && number.end)
        *end = (char *)number.end;
    return to_unsigned(number);
}
