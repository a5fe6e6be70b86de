#include "chance.h"

long library_random(void) LIBRARY(random);

long random(void) {
    if (wants(WANT_RANDOM))
        return any_bits("random") & 0x7fffffff;
    return library_random();
}
