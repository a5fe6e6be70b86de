#include <math.h>

long lroundf(float x) { return (long)roundf(x); }
