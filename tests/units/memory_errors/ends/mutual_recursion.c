// tine-test: fn=pair
// CWE-674: two functions call each other without coming closer to an end.
static int pong(int n);
static int ping(int n) { volatile char frame[64]; frame[0] = 1; return n == 0 ? frame[0] : pong(n - 1) + frame[0]; } //~ ERROR stack overflow
static int pong(int n) { return n == 0 ? 1 : ping(n == 6 ? 7 : n - 1); }

int bad(int n) { return n >= 0 && n < 9 ? ping(n) : 0; }
int good(int n) { return n >= 0 && n < 5 ? ping(n) : 0; }
int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
