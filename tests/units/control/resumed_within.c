// tine-test: fn=resumed_within
// A loop on inputs returns to the concrete track for its end. Its callers still return correctly.
#include <tine.h>

struct text {
    unsigned at, n_calls;
    char bytes[24];
};

static int walk(struct text *t, int depth) {
    for (; t->at < 18; t->at++) {
        if (t->bytes[t->at] == ',')         //~ COVERED
            return 0;
        if (depth > 0) {
            tine_assert(t->n_calls++ < 18);
            int r = walk(t, depth - 1);
            if (r < 0)                      //~ COVERED
                return r;
        }
    }
    t->at = 0;
    return -3;
}

int resumed_within(char first, char other) {
    struct text t = {.bytes = "0123456789abcdefghi"};
    t.bytes[0] = first, t.bytes[1] = other;
    int r = walk(&t, 1);
    if (r == -3)                            //~ COVERED
        tine_assert(first != 'x');          //~ ERROR assertion failure
    return r;
}
