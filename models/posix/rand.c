#include "chance.h"

int library_rand(void) LIBRARY(rand);

int rand(void) {
    if (wants(WANT_RANDOM))
        return any_bits("rand") & 0x7fffffff;
    return library_rand();
}
