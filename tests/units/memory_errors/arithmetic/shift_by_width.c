// tine-test: fn=pair
// CWE-1335: a mask of all bits is not the one shifted by 32.
int bad(unsigned n) { return n <= 32 ? (int)(1u << n) : 0; } //~ ERROR invalid shift
int good(unsigned n) { return n <= 32 ? (int)(1ull << n) : 0; }
int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
