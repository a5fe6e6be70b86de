#include <inttypes.h>
#include <stdlib.h>

imaxdiv_t imaxdiv(intmax_t a, intmax_t b) {
    lldiv_t result = lldiv(a, b);
    return (imaxdiv_t){result.quot, result.rem};
}
