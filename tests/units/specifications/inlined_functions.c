// tine-test: fn=run
// A function that clang always inlines has its events, too. So has one that returns from several places.
//@ spec small {
//@   big  := return twice if result > 10 && n < 100
//@   none := return none if result == 3 && old(calls) == 0
//@   ensures !big && !none
//@ }
static int calls;

static inline __attribute__((always_inline)) unsigned twice(unsigned n) {
    if (n == 0)
        return 0;
    return 2 * n; //~ ERROR specification violated
}

static int none(int n) {
    calls++;
    if (n == 7)
        return 3; //~ ERROR specification violated
    return n == 8 ? 3 : 2; //~ ERROR specification violated
}

int run(unsigned n, int m) {
    return (twice(n) & 1) + none(m);
}
