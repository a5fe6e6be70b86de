// tine-test: fn=pair
// CWE-674: the recursion misses its end for odd numbers.
static int even(unsigned n) { volatile char frame[64]; frame[0] = 1; return n == 0 ? frame[0] : even(n - 2) + frame[0]; } //~ ERROR stack overflow

int bad(unsigned n) { return n == 31 ? even(31) : even(4); }
int good(unsigned n) { return n == 31 ? even(30) : even(4); }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
