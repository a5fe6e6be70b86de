#include "calendar.h"
#include "library.h"

time_t library_mktime(struct tm *from) LIBRARY(mktime);

/* Other zones are the library's business, and summer time where there is none. */
time_t mktime(struct tm *from) {
    if (!is_utc() || from->tm_isdst > 0)
        return library_mktime(from);
    time_t time;
    if (write_calendar(from, &time))
        from->tm_zone = tzname[0];
    return time;
}
