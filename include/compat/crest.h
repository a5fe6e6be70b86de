/* crest.h for programs written for CREST: `CREST_int(x)` makes the variable `x` an input.
 *
 * The inputs are named after their variables. Besides CREST's six types there are the wider types and the floating ones
 * of CREST's descendants. Programs that were preprocessed with CREST's own header call `__CrestInt(&x)` …: those
 * functions are in tine's interface library.
 */
#ifndef TINE_COMPAT_CREST_H
#define TINE_COMPAT_CREST_H

#include "../tine.h"

#define CREST_unsigned_char(x) __tine_crest_uchar(&(x), #x)
#define CREST_unsigned_short(x) __tine_crest_ushort(&(x), #x)
#define CREST_unsigned_int(x) __tine_crest_uint(&(x), #x)
#define CREST_char(x) __tine_crest_char(&(x), #x)
#define CREST_short(x) __tine_crest_short(&(x), #x)
#define CREST_int(x) __tine_crest_int(&(x), #x)

#define CREST_unsigned_long(x) __tine_crest_ulong(&(x), #x)
#define CREST_unsigned_long_long(x) __tine_crest_ulonglong(&(x), #x)
#define CREST_long(x) __tine_crest_long(&(x), #x)
#define CREST_long_long(x) __tine_crest_longlong(&(x), #x)
#define CREST_float(x) __tine_crest_float(&(x), #x)
#define CREST_double(x) __tine_crest_double(&(x), #x)

/* Functions rather than casts, so that the compiler reports a variable of another type. */
#define __TINE_CREST(function, type, kind)                                                    \
    static __inline__ void __tine_crest_##function(type *__x, const char *__name) {           \
        __tine_input(__x, sizeof *__x, __name, kind);                                         \
    }

__TINE_CREST(uchar, unsigned char, __TINE_UNSIGNED)
__TINE_CREST(ushort, unsigned short, __TINE_UNSIGNED)
__TINE_CREST(uint, unsigned int, __TINE_UNSIGNED)
__TINE_CREST(char, char, __TINE_CHAR)
__TINE_CREST(short, short, __TINE_SIGNED)
__TINE_CREST(int, int, __TINE_SIGNED)
__TINE_CREST(ulong, unsigned long, __TINE_UNSIGNED)
__TINE_CREST(ulonglong, __tine_ulonglong, __TINE_UNSIGNED)
__TINE_CREST(long, long, __TINE_SIGNED)
__TINE_CREST(longlong, __tine_longlong, __TINE_SIGNED)
__TINE_CREST(float, float, __TINE_FLOAT)
__TINE_CREST(double, double, __TINE_FLOAT)

#undef __TINE_CREST

#endif
