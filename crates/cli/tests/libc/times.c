/* The calendar in UTC, and its formatted output. */
#include "compare.h"

#include <time.h>

struct tm *model_gmtime(const time_t *), *model_gmtime_r(const time_t *, struct tm *);
struct tm *model_localtime(const time_t *), *model_localtime_r(const time_t *, struct tm *);
time_t model_timegm(struct tm *), model_mktime(struct tm *);
size_t model_strftime(char *, size_t, const char *, const struct tm *);
char *model_asctime(const struct tm *), *model_asctime_r(const struct tm *, char *);
char *model_ctime(const time_t *), *model_ctime_r(const time_t *, char *);
double model_difftime(time_t, time_t);

/* Times around now, in the whole calendar, in years that exceed `int`; near the ends of days and years. */
static time_t any_time(void) {
    static const time_t edges[] = {0, -1, 951782400, 951868799, 4107542400, -62167219200, 67767976233532799, 67767976233532800,
                                   -67768040609740800, -67768040609740801, ~0ul >> 1, 1l << 63};
    long random = (long)(((unsigned long)below(1u << 31) << 31 ^ below(1u << 31)) << below(3));
    switch (below(4)) {
    case 0:
        return edges[below(sizeof edges / sizeof *edges)];
    case 1:
        return (long)below(1u << 31) * 2 - (1l << 31);
    case 2:
        return ((long)below(1000) - 500) * 31556952 + (long)below(3) * 86400 - 86400;
    default:
        return random % 80000000000000000;
    }
}

static struct tm any_parts(int wild) {
    struct tm parts = {0};
    if (wild) {
        static const int most[] = {3, 70, 200, 100000};
        int by = most[below(4)];
        parts.tm_year = (int)below((unsigned)by * 20) - by * 10;
        parts.tm_mon = (int)below((unsigned)by * 2) - by;
        parts.tm_mday = (int)below((unsigned)by * 2) - by;
        parts.tm_hour = (int)below((unsigned)by * 2) - by;
        parts.tm_min = (int)below((unsigned)by * 2) - by;
        parts.tm_sec = (int)below((unsigned)by * 2) - by;
        parts.tm_wday = (int)below(12) - 2;
        parts.tm_yday = (int)below(400) - 10;
        parts.tm_isdst = (int)below(3) - 1;
        parts.tm_zone = "UTC";
    } else {
        time_t time = (long)below(1u << 31);
        gmtime_r(&time, &parts);
    }
    return parts;
}

/* Copies the parts to the compared memory; the zone by its text. */
static long put(const struct tm *parts, char *to) {
    if (!parts)
        return 0;
    long fields[] = {parts->tm_sec, parts->tm_min, parts->tm_hour, parts->tm_mday, parts->tm_mon,
                     parts->tm_year, parts->tm_wday, parts->tm_yday, parts->tm_isdst, parts->tm_gmtoff};
    memcpy(to, fields, sizeof fields);
    if (parts->tm_zone)
        strcpy(to + sizeof fields, parts->tm_zone);
    return 1;
}

static long put_text(const char *text, char *to) {
    if (text)
        strcpy(to, text);
    return text != NULL;
}

/* Ignores output that did not fit, and errno. */
static long put_length(size_t n, char *to, const char *text) {
    errno = 0;
    if (n)
        memcpy(to, text, n + 1);
    return (long)n;
}

static void any_format(char *to) {
    static const char *const many[] = {"%a", "%A", "%b", "%B", "%c", "%C", "%d", "%D", "%e", "%F", "%g", "%G", "%h", "%H", "%I", "%j", "%k", "%l",
                                       "%m", "%M", "%n", "%p", "%P", "%r", "%R", "%s", "%S", "%t", "%T", "%u", "%U", "%V", "%w", "%W", "%x", "%X",
                                       "%y", "%Y", "%z", "%Z", "%%", "%_d", "%-m", "%05H", "%Ey", "%Od", "%^a", "-", "at ", ""};
    to[0] = 0;
    for (unsigned n = below(4); n; n--)
        strcat(to, many[below(sizeof many / sizeof *many)]);
}

#define TIME time = any_time()

void compare_times(void) {
    char s[SIZE] = "", t[1] = "";
    char first[4 * SIZE], second[4 * SIZE];
    struct tm one, other;
    time_t time, before;
    unsigned room;
    setenv("TZ", "UTC", 1);
    COMPARE(gmtime, TIME, put(model_gmtime(&time), ours), put(gmtime(&time), theirs));
    COMPARE(gmtime_r, TIME, put(model_gmtime_r(&time, &one), ours), put(gmtime_r(&time, &other), theirs));
    COMPARE(localtime, TIME, put(model_localtime(&time), ours), put(localtime(&time), theirs));
    COMPARE(localtime_r, TIME, put(model_localtime_r(&time, &one), ours), put(localtime_r(&time, &other), theirs));
#define PARTS one = other = any_parts(below(2))
    COMPARE(timegm, PARTS, ({ long x = model_timegm(&one); put(&one, ours); x; }), ({ long x = timegm(&other); put(&other, theirs); x; }));
    COMPARE(mktime, PARTS, ({ long x = model_mktime(&one); put(&one, ours); x; }), ({ long x = mktime(&other); put(&other, theirs); x; }));
    COMPARE(strftime, (PARTS, any_format(s), room = below(3) ? sizeof first : below(20)),
            put_length(model_strftime(first, room, s, &one), ours, first), put_length(strftime(second, room, s, &one), theirs, second));
    COMPARE(asctime, PARTS, put_text(model_asctime(&one), ours), put_text(asctime(&one), theirs));
    COMPARE(asctime_r, PARTS, put_text(model_asctime_r(&one, first), ours), put_text(asctime_r(&one, second), theirs));
    COMPARE(ctime, TIME, put_text(model_ctime(&time), ours), put_text(ctime(&time), theirs));
    COMPARE(ctime_r, TIME, put_text(model_ctime_r(&time, first), ours), put_text(ctime_r(&time, second), theirs));
    COMPARE(difftime, (TIME, before = any_time()), (long long)(model_difftime(time, before) / 1024), (long long)(difftime(time, before) / 1024));
    /* Other cases are left to the library. */
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    COMPARE(localtime_r, TIME, put(model_localtime_r(&time, &one), ours), put(localtime_r(&time, &other), theirs));
    COMPARE(mktime, PARTS, ({ long x = model_mktime(&one); put(&one, ours); x; }), ({ long x = mktime(&other); put(&other, theirs); x; }));
}
