// tine-test: fn=indirect
// Through a pointer that the path has chosen.
#include <tine.h>

static int twice(short n) { return n * 2; }
static int thrice(short n) { return n * 3; }

static int apply(int (*f)(short), short n) { return f(n); }

int indirect(short x, int which) {
    int (*f)(short) = twice;
    if (which > 1000)                       //~ COVERED
        f = thrice;
    int r = apply(f, x);
    if (f == twice && r % 2 != 0)
        return -1;                          //~ UNREACHABLE
    if (r == 333)                           //~ COVERED
        tine_assert(x != 111);              //~ ERROR assertion failure
    return r;
}
