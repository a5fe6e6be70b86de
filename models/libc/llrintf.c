#include <math.h>

long long llrintf(float x) { return (long long)rintf(x); }
