// tine-test: fn=first_member
// The first member lies at its parent's address.
#include <tine.h>

struct base {
    int kind;
};
struct derived {
    struct base base;
    int extra;
};

int first_member(unsigned i, int x) {
    static struct derived t[3] = {{{1}, 10}, {{2}, 20}, {{3}, 30}};
    struct base *b = &t[i % 3].base;
    tine_assert((void *)b == (void *)&t[i % 3]);
    b->kind = x;
    struct derived *d = (struct derived *)b;
    if (d->extra == 20 && t[1].base.kind == -5)                         //~ COVERED
        tine_assert(x != -5);                                           //~ ERROR assertion failure
    if (d->extra == 30 && t[2].base.kind != x)
        return -1;                                                      //~ UNREACHABLE
    return 0;
}
