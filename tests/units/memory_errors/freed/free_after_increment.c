// tine-test: fn=pair
// CWE-761: `*p++` moves the only pointer there is.
#include <stdlib.h>

struct reader {
    char *start, *at;
};

int bad(int k) {
    char *p = calloc(1, 4);
    int c = k == 7 ? *p++ : *p;
    free(p); //~ ERROR invalid free
    return c;
}

int good(int k) {
    struct reader r = {calloc(1, 4), NULL};
    r.at = r.start;
    int c = k == 7 ? *r.at++ : *r.at;
    free(r.at - (r.at - r.start));
    return c;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
