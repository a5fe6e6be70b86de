#include "date.h"

char *asctime_r(const struct tm *restrict time, char *restrict to) { return write_date(time, to, 26); }
