#include "calendar.h"
#include "library.h"

struct tm *library_localtime_r(const time_t *time, struct tm *to) LIBRARY(localtime_r);

/* Other time zones are left to the library. */
struct tm *localtime_r(const time_t *restrict time, struct tm *restrict to) {
    if (!is_utc())
        return library_localtime_r(time, to);
    if (!read_calendar(*time, to))
        return NULL;
    to->tm_zone = tzname[0];
    return to;
}
