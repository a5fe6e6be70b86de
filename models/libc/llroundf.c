#include <math.h>

long long llroundf(float x) { return (long long)roundf(x); }
