#include <time.h>

/* The difference is exact before it is rounded. */
double difftime(time_t a, time_t b) {
    return a < b ? -(double)((unsigned long)b - (unsigned long)a) : (double)((unsigned long)a - (unsigned long)b);
}
