// tine-test: fn=pair
// CWE-1335: a negative count. The twin shifts to the other side.
int bad(unsigned x, int by) { return by < 8 ? (int)(x >> by) : 0; } //~ ERROR invalid shift
int good(unsigned x, int by) { return by < 8 && by > -8 ? (int)(by < 0 ? x << -by : x >> by) : 0; }
int pair(int faulty, unsigned x, int by) { return faulty ? bad(x, by) : good(x, by); }
