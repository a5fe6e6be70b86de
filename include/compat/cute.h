/* cute.h for programs written for CUTE: `CUTE_input(x)` makes the variable `x`, of any type, an input; `CUTE_assume(c)`
 * skips inputs for which `c` is false; `CUTE_assert(c)` reports an error if it is false.
 *
 * The bytes of pointers, structs and arrays become inputs unchanged. Inventing pointer graphs like CUTE requires the
 * types of a function's parameters (`tine test --fn`).
 */
#ifndef TINE_COMPAT_CUTE_H
#define TINE_COMPAT_CUTE_H

#include "../tine.h"

#ifdef __cplusplus
/* C++ has no type selection in expressions. It only affects how the value is printed. */
#define __TINE_CUTE_KIND(x) __TINE_BYTES
#else
#define __TINE_CUTE_KIND(x)                                                                       \
    __extension__ _Generic((x),                                                                   \
        char: __TINE_CHAR,                                                                        \
        signed char: __TINE_SIGNED, short: __TINE_SIGNED, int: __TINE_SIGNED,                     \
        long: __TINE_SIGNED, __tine_longlong: __TINE_SIGNED,                                      \
        unsigned char: __TINE_UNSIGNED, unsigned short: __TINE_UNSIGNED, unsigned: __TINE_UNSIGNED, \
        unsigned long: __TINE_UNSIGNED, __tine_ulonglong: __TINE_UNSIGNED,                        \
        float: __TINE_FLOAT, double: __TINE_FLOAT,                                                \
        void *: __TINE_POINTER,                                                                   \
        default: __TINE_BYTES)
#endif

#define CUTE_input(x) __tine_input(&(x), sizeof(x), #x, __TINE_CUTE_KIND(x))
#define CUTE_assume(condition) tine_assume(condition)
#define CUTE_assert(condition) \
    ((condition) ? (void)0 : __tine_fail(__TINE_ASSERTION_FAILURE, #condition, __FILE__, __LINE__))

#endif
