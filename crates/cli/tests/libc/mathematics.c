/* Functions of <math.h> on numbers of all kinds. */
#include "compare.h"

#include <math.h>

long model_lround(double);
long model_lrint(double);
long long model_llround(double);
long long model_llrint(double);
int __isnan(double), model___isnan(double);
int __isinf(double), model___isinf(double);
int __finite(double), model___finite(double);
int __fpclassify(double), model___fpclassify(double);
int __signbit(double), model___signbit(double);
double model_fdim(double, double), model_frexp(double, int *);
long model_lroundf(float);
long model_lrintf(float);
long long model_llroundf(float);
long long model_llrintf(float);
int __isnanf(float), model___isnanf(float);
int __isinff(float), model___isinff(float);
int __finitef(float), model___finitef(float);
int __fpclassifyf(float), model___fpclassifyf(float);
int __signbitf(float), model___signbitf(float);
float model_fdimf(float, float), model_frexpf(float, int *);

/* The bits; those of a NaN do not matter. */
static long long bits(double value) {
    long long bits = -1;
    if (value == value)
        memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double any_value(void) {
    static const double edges[] = {
        0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, 0.49999999999999994, 4503599627370497.5, 9.3e18, -9.3e18, 1e300, -1e308, 1.7e308, 3e38, 1e-310,
        -5e-324, 1e-40, 0x1p-126, 0x1p-1022, __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
    };
    unsigned kind = below(4);
    if (kind == 0)
        return edges[below(sizeof edges / sizeof *edges)];
    if (kind == 1)
        return ((double)below(4000) - 2000) / 4;
    long long bits = (long long)below(1u << 31) << 33 ^ below(1u << 31);
    double value;
    memcpy(&value, &bits, sizeof value);
    return kind == 2 ? value : (double)below(1u << 31) * 0x1p-20;
}

#define SET (a = any_value(), b = any_value(), snprintf(s, sizeof s, "%a", a), snprintf(t, sizeof t, "%a", b))

void compare_mathematics(void) {
    char s[40] = "", t[40] = "";
    double a = 0, b = 0;
    COMPARE(lround, SET, model_lround((double)a), lround((double)a));
    COMPARE(lrint, SET, model_lrint((double)a), lrint((double)a));
    COMPARE(llround, SET, model_llround((double)a), llround((double)a));
    COMPARE(llrint, SET, model_llrint((double)a), llrint((double)a));
    COMPARE(__isnan, SET, !!model___isnan((double)a), !!__isnan((double)a));
    COMPARE(__isinf, SET, model___isinf((double)a), __isinf((double)a));
    COMPARE(__finite, SET, !!model___finite((double)a), !!__finite((double)a));
    COMPARE(__fpclassify, SET, model___fpclassify((double)a), __fpclassify((double)a));
    COMPARE(__signbit, SET, !!model___signbit((double)a), !!__signbit((double)a));
    COMPARE(fdim, SET, bits(model_fdim((double)a, (double)b)), bits(fdim((double)a, (double)b)));
    COMPARE(frexp, SET, bits(model_frexp((double)a, (int *)ours)), bits(frexp((double)a, (int *)theirs)));
    COMPARE(lroundf, SET, model_lroundf((float)a), lroundf((float)a));
    COMPARE(lrintf, SET, model_lrintf((float)a), lrintf((float)a));
    COMPARE(llroundf, SET, model_llroundf((float)a), llroundf((float)a));
    COMPARE(llrintf, SET, model_llrintf((float)a), llrintf((float)a));
    COMPARE(__isnanf, SET, !!model___isnanf((float)a), !!__isnanf((float)a));
    COMPARE(__isinff, SET, model___isinff((float)a), __isinff((float)a));
    COMPARE(__finitef, SET, !!model___finitef((float)a), !!__finitef((float)a));
    COMPARE(__fpclassifyf, SET, model___fpclassifyf((float)a), __fpclassifyf((float)a));
    COMPARE(__signbitf, SET, !!model___signbitf((float)a), !!__signbitf((float)a));
    COMPARE(fdimf, SET, bits(model_fdimf((float)a, (float)b)), bits(fdimf((float)a, (float)b)));
    COMPARE(frexpf, SET, bits(model_frexpf((float)a, (int *)ours)), bits(frexpf((float)a, (int *)theirs)));
}
