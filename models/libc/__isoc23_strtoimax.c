#include <inttypes.h>
#include <stdlib.h>

#include "number.h"

intmax_t __isoc23_strtoimax(const char *restrict s, char **restrict end, int base) {
    struct number number = read_number(s, base, 1, ANY_WIDTH);
    if (end && number.end)
        *end = (char *)number.end;
    return to_signed(number);
}
