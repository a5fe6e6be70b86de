// tine-test: fn=pair
// CWE-122: the index of an array of structures is checked against the size in bytes.
#include <stdlib.h>

struct entry {
    short key;
    long value;
};

int bad(unsigned i) {
    size_t size = 3 * sizeof(struct entry);
    struct entry *t = calloc(1, size);
    if (i < size && i < 5)
        t[i].value = 1; //~ ERROR out-of-bounds write
    free(t);
    return 0;
}

int good(unsigned i) {
    size_t size = 3 * sizeof(struct entry);
    struct entry *t = calloc(1, size);
    if (i < size / sizeof *t)
        t[i].value = 1;
    free(t);
    return 0;
}

int pair(int faulty, unsigned i) { return faulty ? bad(i) : good(i); }
