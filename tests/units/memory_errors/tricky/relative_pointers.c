// tine-test: fn=pair
// CWE-823: offsets instead of pointers, from one member of a block to another.
#include <stdlib.h>

struct record {
    int to_text; /* offset from here */
    char pad[4];
    char text[8];
};

static int first(const struct record *r) {
    return ((const char *)&r->to_text)[r->to_text]; //~ ERROR out-of-bounds read
}

static int run(int offset) {
    struct record *r = calloc(1, sizeof *r);
    r->to_text = offset;
    int c = first(r);
    free(r);
    return c;
}

int bad(int k) { return run(k == 4 ? (int)sizeof(struct record) : 8); }
int good(int k) { return run(k == 4 ? (int)sizeof(struct record) - 1 : 8); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
