#include "chance.h"

long library_lrand48(void) LIBRARY(lrand48);

long lrand48(void) {
    if (wants(WANT_RANDOM))
        return any_bits("lrand48") & 0x7fffffff;
    return library_lrand48();
}
