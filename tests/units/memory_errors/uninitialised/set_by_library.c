// tine-test: fn=pair
// CWE-457: the library sets what it is given, except if it fails.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int bad(int k) {
    int value;
    sscanf(k == 3 ? "none" : "17", "%d", &value);
    if (value == 17) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    int value;
    char *end, text[8];
    struct tm tm;
    time_t t = 0;
    if (sscanf(k == 3 ? "none" : "17", "%d", &value) == 1 && value == 17)
        return 1;
    gmtime_r(&t, &tm);
    long n = strtol("12x", &end, 10);
    snprintf(text, sizeof text, "%ld", n);
    if (tm.tm_year == 70 && *end == 'x' && strcmp(text, "12") == 0)
        return 2;
    return 3;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
