#include <math.h>

/* An expression, not a decision. */
int __fpclassifyf(float x) {
    float size = __builtin_fabsf(x);
    int is_small = (size > 0) & (size < 0x1p-126f), is_normal = (size >= 0x1p-126f) & (size < __builtin_inff());
    return FP_NAN | (size == __builtin_inff()) * FP_INFINITE | (size == 0) * FP_ZERO | is_small * FP_SUBNORMAL | is_normal * FP_NORMAL;
}
