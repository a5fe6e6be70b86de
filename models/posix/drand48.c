#include "chance.h"

double library_drand48(void) LIBRARY(drand48);

double drand48(void) {
    if (wants(WANT_RANDOM))
        return any_bits("drand48") / 4294967296.0;
    return library_drand48();
}
