// tine-test: fn=pair
// CWE-121: the terminator is written outside for one length and a character for others: one call, one report.
#include <stdio.h>

int bad(unsigned n) {
    char text[4];
    if (n < 30)
        snprintf(text, n, "%s", "hello"); //~ ERROR out-of-bounds write
    return 0;
}

int good(unsigned n) {
    char text[6];
    if (n <= sizeof text)
        snprintf(text, n, "%s", "hello");
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
