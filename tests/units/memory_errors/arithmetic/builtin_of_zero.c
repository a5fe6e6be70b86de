// tine-test: fn=pair
// CWE-758: the number of leading zeros of zero.
int bad(unsigned x) { return 31 - __builtin_clz(x); } //~ ERROR invalid argument of a builtin
int good(unsigned x) { return 31 - __builtin_clz(x | 1); }
int pair(int faulty, unsigned x) { return faulty ? bad(x) : good(x); }
