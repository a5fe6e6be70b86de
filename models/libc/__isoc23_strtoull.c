#include <inttypes.h>
#include <stdlib.h>

#include "library.h"
#include "number.h"

ONLY_WITH_LIBRARY(__isoc23_strtoull)

unsigned long long __isoc23_strtoull(const char *restrict s, char **restrict end, int base) {
    struct number number = read_number(s, base, 1, ANY_WIDTH);
    if (end && number.end)
        *end = (char *)number.end;
    return to_unsigned(number);
}
