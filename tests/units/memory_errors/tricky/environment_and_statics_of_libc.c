// tine-test: fn=pair
// CWE-126: memory that the library owns is not the heap's or the program's, and can be read.
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int use(char *text) {
    time_t t = 0;
    struct tm *tm = gmtime(&t);
    int r = tm->tm_year + (isalpha((unsigned char)text[0]) != 0);
    errno = 0;
    r += strerror(ENOENT)[0] != 0;
    r += localeconv()->decimal_point[0] == '.';
    char *end;
    r += (int)strtol(text, &end, 10) + (*end != 0); //~ ERROR out-of-bounds read
    return r;
}

int bad(int k) {
    char text[2] = "7";
    if (k == 1)
        text[1] = '5';
    return use(text);
}

int good(int k) {
    char text[3] = "7";
    if (k == 1)
        text[1] = '5';
    return use(text);
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
