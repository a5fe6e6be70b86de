// tine-test: fn=pair
// CWE-190: the smallest number divided by -1.
#include <limits.h>

int bad(int a, int b) { return b ? a / b : 0; } //~ ERROR division overflow
int good(int a, int b) { return b == 0 || (a == INT_MIN && b == -1) ? 0 : a / b; }
int pair(int faulty, int a, int b) { return faulty ? bad(a, b) : good(a, b); }
