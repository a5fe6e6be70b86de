/* Time and random numbers: inputs with `--sym-time` and `--sym-random`. */
#include <tine.h>

#include "files.h"

static inline int wants(unsigned what) { return (__tine_files.wants & what) != 0; }

/* A number of seconds or ticks, not before 1970. */
static inline long any_time(const char *name) {
    long value;
    /* Files come first, independent of the request. */
    __tine_ask();
    __tine_input(&value, sizeof value, name, __TINE_SIGNED);
    if (value < 0)
        __tine_reject();
    return value;
}

static inline unsigned any_bits(const char *name) {
    unsigned value;
    __tine_ask();
    __tine_input(&value, sizeof value, name, __TINE_UNSIGNED);
    return value;
}
