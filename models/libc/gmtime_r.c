#include "calendar.h"

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict to) { return read_calendar(*time, to) ? to : NULL; }
