// tine-test: fn=pair
// CWE-686: a number is printed as a string.
#include <stdio.h>

int bad(unsigned k) {
    const char *format = k ? "%u\n" : "%s\n";
    printf(format, 5); //~ ERROR format does not fit its arguments
    return 0;
}

int good(unsigned k) {
    const char *format = k ? "%5.3u|%%\n" : "%x\n";
    printf(format, 5);
    printf("%.2s %.*s %ld %g %Lf %p %c %hhd\n", "abc", 1, "abc", 5L, 1.0, 2.0L, (void *)&k, 'x', 5);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
