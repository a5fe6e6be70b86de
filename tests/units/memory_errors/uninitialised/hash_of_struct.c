// tine-test: fn=pair
// CWE-457: a hash over all bytes of a structure includes its padding.
#include <string.h>

struct key {
    char kind;
    long id;
};

static unsigned hash(const void *p, unsigned n) {
    const unsigned char *c = p;
    unsigned h = 17;
    while (n--)
        h = h * 31 + *c++;
    return h;
}

int bad(char kind) {
    struct key k;
    k.kind = kind;
    k.id = 5;
    if (hash(&k, sizeof k) % 2) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(char kind) {
    struct key k;
    memset(&k, 0, sizeof k);
    k.kind = kind;
    k.id = 5;
    if (hash(&k, sizeof k) % 2)
        return 1;
    return 0;
}

int pair(int faulty, char kind) { return faulty ? bad(kind) : good(kind); }
