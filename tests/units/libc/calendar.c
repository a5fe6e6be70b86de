// tine-test: fn=calendar
// A moment that is an input is a day of the calendar.
#include <string.h>
#include <time.h>
#include <tine.h>

void calendar(unsigned moment) {
    time_t time = moment;
    struct tm *day = gmtime(&time);
    char text[16];
    if (day->tm_mon == 1 && day->tm_mday == 29) {   //~ COVERED
        strftime(text, sizeof text, "%d %b", day);
        tine_assert(!strcmp(text, "29 Feb"));
        tine_assert(day->tm_year % 4 == 0);
        tine_assert(day->tm_year != 124);           //~ ERROR assertion failure
    }
}
