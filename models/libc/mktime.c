#include "calendar.h"
#include "library.h"

time_t library_mktime(struct tm *from) LIBRARY(mktime);

/* Left to the library: other time zones, and daylight saving time where there is none. */
time_t mktime(struct tm *from) {
    if (!is_utc() || from->tm_isdst > 0)
        return library_mktime(from);
    time_t time;
    if (write_calendar(from, &time))
        from->tm_zone = tzname[0];
    return time;
}
