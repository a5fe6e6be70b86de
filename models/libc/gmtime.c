#include <time.h>

struct tm *gmtime(const time_t *time) {
    static struct tm result;
    return gmtime_r(time, &result);
}
