#include <math.h>

long long llround(double x) { return (long long)round(x); }
