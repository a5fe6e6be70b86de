#include <math.h>

/* An expression, not a decision. */
int __fpclassify(double x) {
    double size = __builtin_fabs(x);
    int is_small = (size > 0) & (size < 0x1p-1022), is_normal = (size >= 0x1p-1022) & (size < __builtin_inf());
    return FP_NAN | (size == __builtin_inf()) * FP_INFINITE | (size == 0) * FP_ZERO | is_small * FP_SUBNORMAL | is_normal * FP_NORMAL;
}
