#include "chance.h"

#include <sys/time.h>

int library_gettimeofday(struct timeval *restrict to, void *restrict zone) LIBRARY(gettimeofday);

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
    if (wants(WANT_TIME)) {
        to->tv_sec = any_time("time");
        to->tv_usec = any_bits("microseconds");
        if (to->tv_usec > 999999)
            __tine_reject();
        return 0;
    }
    return library_gettimeofday(to, zone);
}
