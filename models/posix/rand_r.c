#include "chance.h"

int library_rand_r(unsigned *seed) LIBRARY(rand_r);

int rand_r(unsigned *seed) {
    if (wants(WANT_RANDOM))
        return any_bits("rand_r") & 0x7fffffff;
    return library_rand_r(seed);
}
