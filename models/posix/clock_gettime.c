#include "chance.h"

#include <time.h>

int library_clock_gettime(clockid_t clock, struct timespec *to) LIBRARY(clock_gettime);

int clock_gettime(clockid_t clock, struct timespec *to) {
    if (wants(WANT_TIME)) {
        to->tv_sec = any_time("time");
        to->tv_nsec = any_bits("nanoseconds");
        if (to->tv_nsec > 999999999)
            __tine_reject();
        return 0;
    }
    return library_clock_gettime(clock, to);
}
