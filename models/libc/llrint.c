#include <math.h>

long long llrint(double x) { return (long long)rint(x); }
