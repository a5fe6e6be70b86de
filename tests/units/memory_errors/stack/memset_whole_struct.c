// tine-test: fn=pair
// CWE-121: the size of one structure, the address of a smaller one.
#include <string.h>

struct small {
    int a, b;
};
struct large {
    struct small s;
    int more[6];
};

static void clear(struct small *p, size_t n) {
    memset(p, 0, n); //~ ERROR out-of-bounds write
}

int bad(int k) {
    struct small s = {1, 2};
    clear(&s, k == 6 ? sizeof(struct large) : sizeof s);
    return s.a;
}

int good(int k) {
    struct large l = {{1, 2}, {3}};
    clear(&l.s, k == 6 ? sizeof l : sizeof l.s);
    return l.s.a;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
