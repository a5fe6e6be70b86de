#include "date.h"

char *asctime(const struct tm *time) {
    static char text[114];
    return write_date(time, text, sizeof text);
}
