// tine-test: fn=pair
// CWE-674: nested brackets without a limit of depth. The twin has one.
static int depth_of(unsigned n, unsigned limit) { volatile char frame[4000]; frame[0] = 1; return n == 0 || n > limit ? 0 : depth_of(n - 1, limit) + frame[0]; } //~ ERROR stack overflow

int bad(int k) { return k == 3 ? depth_of(1000000, 2000000) : 0; }
int good(int k) { return k == 3 ? depth_of(1000000, 100) : depth_of(100, 100); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
