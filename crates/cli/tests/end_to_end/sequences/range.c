// The state is the same expression on all paths through `set`; the set of its possible values is not.
#include <assert.h>

struct dial {
    int value;
};

void init(struct dial *d) { d->value = 0; }

void set(struct dial *d, int value) {
    if (value < 0)
        value = -(value + 1);
    if (value > 100 && value != 150)
        value = 150;
    d->value = value;
}

void turn(struct dial *d, int by) {
    if (by > 10 || by < 0)
        return;
    d->value = by;
}

void use(struct dial *d) {
    assert(d->value != 7);
    assert(d->value != 50);
    assert(d->value != 200);
}
