#include <inttypes.h>
#include <stdlib.h>

#include "number.h"

unsigned long __isoc23_strtoul(const char *restrict s, char **restrict end, int base) {
    struct number number = read_number(s, base, 1, ANY_WIDTH);
    if (end && number.end)
        *end = (char *)number.end;
    return to_unsigned(number);
}
