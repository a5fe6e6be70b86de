// tine-test: fn=must_tail
// A call that promises to need no stack passes its shadows on like any other.
#include <tine.h>

static unsigned steps(unsigned char n, unsigned done);

static unsigned step(unsigned char n, unsigned done) {
    __attribute__((musttail)) return steps((unsigned char)(n / 2), done + 1);
}

static unsigned steps(unsigned char n, unsigned done) {
    if (n == 0)                             //~ COVERED
        return done;
    __attribute__((musttail)) return step(n, done);
}

int must_tail(unsigned char n) {
    unsigned k = steps(n, 0);
    if (k > 8)
        return -1;                          //~ UNREACHABLE
    tine_assert(k != 8);                    //~ ERROR assertion failure
    return (int)k;
}
