// tine-test: fn=pair
// CWE-457: `memcmp` compares the padding, too. The twin clears it first.
#include <string.h>

struct pair_of {
    char a;
    int b;
};

int bad(char a, int b) {
    struct pair_of x, y;
    x.a = y.a = a;
    x.b = y.b = b;
    if (memcmp(&x, &y, sizeof x) == 0) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(char a, int b) {
    struct pair_of x, y;
    memset(&x, 0, sizeof x);
    memset(&y, 0, sizeof y);
    x.a = y.a = a;
    x.b = y.b = b;
    if (memcmp(&x, &y, sizeof x) == 0)
        return 1;
    return 0;
}

int pair(int faulty, char a, int b) { return faulty ? bad(a, b) : good(a, b); }
