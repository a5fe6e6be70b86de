// tine-test: fn=pair
// CWE-126: characters without terminator are printed with a precision that is too large.
#include <stdio.h>

int bad(unsigned k) {
    char name[3] = {'a', 'b', 'c'};
    printf("%u %.*s\n", k, 4, name); //~ ERROR out-of-bounds read
    return 0;
}

int good(unsigned k) {
    char name[3] = {'a', 'b', 'c'};
    printf("%u %.*s\n", k, 3, name);
    printf("%.3s\n", name);
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
