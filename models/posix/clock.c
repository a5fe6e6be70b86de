#include "chance.h"

#include <time.h>

clock_t library_clock(void) LIBRARY(clock);

clock_t clock(void) {
    if (wants(WANT_TIME))
        return any_time("clock");
    return library_clock();
}
