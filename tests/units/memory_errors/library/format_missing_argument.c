// tine-test: fn=pair
// CWE-685: a format needs more arguments than there are.
#include <stdio.h>

int bad(unsigned k) {
    const char *format = "%s\n";
    if (k == 3)
        format = "%s %s\n";
    printf(format, "a"); //~ ERROR format does not fit its arguments
    return 0;
}

int good(unsigned k) {
    const char *format = "%s\n";
    if (k == 3)
        format = "%s %s\n";
    printf(format, "a", "b");
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
