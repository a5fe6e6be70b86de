/* The calendar, in UTC: conversion between seconds since 1970 and dates. */
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#define DAY 86400L
/* Number of days in 400 years, after which the calendar repeats. */
#define ROUND 146097L

/* The quotient with a remainder of at least 0. */
static inline long floor_divided(long n, long by) { return n / by - (n % by < 0); }

static inline int is_leap(unsigned year) { return (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0)); }

/* Days from 1970 to the first of a month. Years begin in March here, so that the leap day is the last day.
 *
 *     month   Mar Apr May Jun Jul …        0 31 61 92 122 … = (153 m + 2) / 5
 */
static inline long days_before(long year, long month) {
    year += floor_divided(month, 12);
    month -= floor_divided(month, 12) * 12;
    long march = (month + 10) % 12;
    year -= month < 2;
    long rounds = floor_divided(year, 400), rest = year - rounds * 400;
    return rounds * ROUND + rest * 365 + rest / 4 - rest / 100 + (153 * march + 2) / 5 - 719468;
}

/* A moment in days and seconds, with the days counted in periods of 400 years from a first of March. A moment from 1970
 * to 2106 has 32 bits, because solvers can divide 32-bit numbers, but hardly larger ones. */
struct moment {
    long rounds;
    unsigned day, second, weekday;
};

static inline struct moment moment_of(long time) {
    if (time >= 0 && time <= UINT_MAX) {
        unsigned day = (unsigned)time / 86400u, since = day + 719468;
        unsigned rounds = since < 5 * ROUND ? 4 : 5;
        return (struct moment){rounds, since - rounds * ROUND, (unsigned)time - day * 86400u, (day + 4) % 7};
    }
    long days = floor_divided(time, DAY), rounds = floor_divided(days + 719468, ROUND);
    long weekday = (days + 4) % 7;
    return (struct moment){rounds, (unsigned)(days + 719468 - rounds * ROUND), (unsigned)(time - days * DAY),
                           (unsigned)(weekday + (weekday < 0) * 7)};
}

/* Returns 0 if the year does not fit an `int`. The month is a decision. */
static inline int read_calendar(long time, struct tm *to) {
    struct moment moment = moment_of(time);
    unsigned day = moment.day, rest = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    unsigned of_year = day - (rest * 365 + rest / 4 - rest / 100), march = 0;
    while (march < 11 && of_year >= (153 * (march + 1) + 2) / 5)
        march++;
    unsigned month = (march + 2) % 12;
    long year = moment.rounds * 400 + rest + (month < 2);
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        errno = EOVERFLOW;
        return 0;
    }
    memset(to, 0, sizeof *to);
    to->tm_year = (int)(year - 1900);
    to->tm_mon = (int)month;
    to->tm_mday = (int)(of_year - (153 * march + 2) / 5 + 1);
    to->tm_yday = (int)(month < 2 ? of_year - 306 : of_year + 59 + is_leap(rest));
    to->tm_wday = (int)moment.weekday;
    to->tm_hour = (int)(moment.second / 3600);
    to->tm_min = (int)(moment.second / 60 % 60);
    to->tm_sec = (int)(moment.second % 60);
    to->tm_zone = "GMT";
    return 1;
}

/* Seconds since 1970. Fields may be out of range and are normalised. -1 and no change if the year is too large. */
static inline int write_calendar(struct tm *from, time_t *to) {
    *to = (days_before(from->tm_year + 1900L, from->tm_mon) + from->tm_mday - 1L) * DAY + from->tm_hour * 3600L +
          from->tm_min * 60L + from->tm_sec;
    if (read_calendar(*to, from))
        return 1;
    *to = -1;
    return 0;
}

/* True if local time is UTC and has always been. */
static inline int is_utc(void) {
    int before = errno;
    tzset();
    errno = before;
    return !timezone && !daylight && !strcmp(tzname[0], "UTC") && !strcmp(tzname[1], "UTC");
}
