// tine-test: fn=methods_of_kind
// Methods in a structure that a table leads to.
#include <tine.h>

struct methods {
    const char *name;
    int (*run)(int);
};

static int inc(int x) { return x + 1; }
static int dec(int x) { return x - 1; }

static const struct methods adders = {"inc", inc}, takers = {"dec", dec};

int methods_of_kind(unsigned i, short x) {
    static const struct methods *const kinds[2] = {&adders, &takers};
    const struct methods *m = kinds[i & 1];
    int v = m->run(x);
    if (v == 1000 && m->name[0] == 'd')         //~ COVERED
        tine_assert(x != 1001);                 //~ ERROR assertion failure
    tine_assert(v == ((i & 1) ? x - 1 : x + 1));
    return 0;
}
