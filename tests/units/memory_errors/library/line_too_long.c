// tine-test: fn=pair
// CWE-805: `fgets` gets a larger size than the buffer has.
#include <stdio.h>

int bad(unsigned k) {
    char line[8];
    return fgets(line, 16, stdin) && line[0] == (int)k; //~ ERROR out-of-bounds write
}

int good(unsigned k) {
    char line[16];
    return fgets(line, 16, stdin) && line[0] == (int)k;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
