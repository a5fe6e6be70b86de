// Effects of a call outside of the object: static variables of functions and of the file.
#include <assert.h>

struct light {
    int on;
};

static int worn;

void init(struct light *l) { l->on = 0; }

void toggle(struct light *l) {
    static int times;
    l->on = !l->on;
    assert(++times < 4);
}

void shake(struct light *l, int how) {
    if (how == 77)
        worn++;
    assert(worn < 2 || !l->on);
}
