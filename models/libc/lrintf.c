#include <math.h>

long lrintf(float x) { return (long)rintf(x); }
