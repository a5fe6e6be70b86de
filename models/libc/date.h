/* A date as one line. `asctime` has more room for it than `asctime_r`. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <time.h>

#include "names.h"

static inline char *write_date(const struct tm *time, char *to, int room) {
    if (!time) {
        errno = EINVAL;
        return NULL;
    }
    if (time->tm_year <= INT_MAX - 1900) {
        int n = snprintf(to, room, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", DAY_NAME(time, "???"), MONTH_NAME(time, "???"),
                         time->tm_mday, time->tm_hour, time->tm_min, time->tm_sec, time->tm_year + 1900);
        if (n < room)
            return to;
    }
    errno = EOVERFLOW;
    return NULL;
}
