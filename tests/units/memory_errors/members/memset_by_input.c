// tine-test: fn=pair verdict=incomplete reason="length depends on the input"
// CWE-787: an array inside of a structure is filled up to a length that is an input.
#include <string.h>

struct record {
    char key[100];
    int used;
};

int bad(unsigned n) {
    struct record record;
    record.used = 0;
    if (n <= 101)
        memset(record.key, 1, n); //~ ERROR out-of-bounds write
    return record.used;
}

int good(unsigned n) {
    struct record record;
    record.used = 0;
    if (n <= 100)
        memset(record.key, 1, n);
    return record.used;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
