// tine-test: fn=struct_returned
// Structures returned by value: small, mixed and large.
#include <tine.h>

struct small { short a; int b; };
struct mixed { long n; double d; };
struct large { int v[10]; };

static struct small make_small(short a, int b) { return (struct small){a, b}; }
static struct mixed make_mixed(long n, double d) { return (struct mixed){.d = d, .n = n}; }
static struct large make_large(int x) {
    struct large l = {{0}};
    l.v[9] = x;
    return l;
}

int struct_returned(short a, int b, double d) {
    struct small s = make_small(a, b);
    struct mixed m = make_mixed(b, d);
    struct large l = make_large(b);
    if (l.v[9] != s.b || m.n != b)
        return -1;                                      //~ UNREACHABLE
    if (s.a == -7 && make_large(b).v[9] == 70 && m.d == 0.125)      //~ COVERED
        tine_assert(l.v[0] != 0);                       //~ ERROR assertion failure
    return 0;
}
