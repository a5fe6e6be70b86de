#include "chance.h"

#include <time.h>

time_t library_time(time_t *to) LIBRARY(time);

time_t time(time_t *to) {
    if (wants(WANT_TIME)) {
        time_t now = any_time("time");
        if (to)
            *to = now;
        return now;
    }
    return library_time(to);
}
