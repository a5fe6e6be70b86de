#include "chance.h"

long library_mrand48(void) LIBRARY(mrand48);

long mrand48(void) {
    if (wants(WANT_RANDOM))
        return (int)any_bits("mrand48");
    return library_mrand48();
}
