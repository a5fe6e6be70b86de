// tine-test: fn=f
// Memory that the library made or filled has values.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

int f(int k) {
    char *copy = strdup("word"), *text = NULL, buffer[64];
    int n = asprintf(&text, "%d-%s", 5, "x"), r = 0;
    if (copy && n > 0 && text[0] == '5' && copy[3] == 'd')
        r++;
    free(copy);
    free(text);
    struct stat s;
    if (stat("/", &s) == 0 && S_ISDIR(s.st_mode))
        r++;
    struct timeval t;
    if (gettimeofday(&t, NULL) == 0 && t.tv_sec >= 0)
        r++;
    struct utsname u;
    if (uname(&u) == 0 && u.sysname[0])
        r++;
    int a, b;
    if (sscanf("12 13", "%d %d", &a, &b) == 2 && a < b)
        r++;
    if (snprintf(buffer, sizeof buffer, "%d", k & 7) == 1 && buffer[0] == '3')
        r++;
    time_t now = 0;
    struct tm tm;
    if (gmtime_r(&now, &tm) && tm.tm_year == 70)
        r++;
    char *end;
    if (strtol("17z", &end, 10) == 17 && *end == 'z')
        r++;
    return r;
}
