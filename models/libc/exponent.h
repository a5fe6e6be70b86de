/* The parts of a float that is not zero, subnormal, infinite or a NaN. */
#include <string.h>

struct parts {
    unsigned long bits;
    /* The value is ±1.… times two to the power of this. */
    int exponent;
};

static inline struct parts split(double x) {
    struct parts parts;
    memcpy(&parts.bits, &x, sizeof x);
    parts.exponent = (int)(parts.bits >> 52 & 0x7ff) - 0x3ff;
    return parts;
}

/* The same sign and digits with another exponent. */
static inline double join(struct parts parts, int exponent) {
    double x;
    unsigned long bits = (parts.bits & ~(0x7fful << 52)) | (unsigned long)(exponent + 0x3ff) << 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

struct partsf {
    unsigned bits;
    int exponent;
};

static inline struct partsf splitf(float x) {
    struct partsf parts;
    memcpy(&parts.bits, &x, sizeof x);
    parts.exponent = (int)(parts.bits >> 23 & 0xff) - 0x7f;
    return parts;
}

static inline float joinf(struct partsf parts, int exponent) {
    float x;
    unsigned bits = (parts.bits & ~(0xffu << 23)) | (unsigned)(exponent + 0x7f) << 23;
    memcpy(&x, &bits, sizeof x);
    return x;
}
