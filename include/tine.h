/* Programs and harnesses request inputs from tine through this header, which `tine cc` finds by itself.
 *
 *     int x = tine_int("x");               // an input: any value of the type, chosen by tine
 *     char text[8];
 *     tine_symbolic(text, 8, "text");      // an input of eight bytes
 *     if (tine_choice(2, "order") == 0)    // a choice: 0 or 1, both are explored
 *         tine_assume(x > 0);              // inputs for which this is false are skipped
 *     tine_assert(x != 42);                // an error at this line if this is false
 *
 * Names appear in reports and tests. Inputs are identified by the order in which a run requests them. A program built
 * by `tine cc` also runs on its own; its inputs are zero then.
 *
 * The header includes no other header and defines only names with the prefix `tine_` or `__tine_`, so it may come
 * first in any C or C++ file.
 */
#ifndef TINE_H
#define TINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Display formats of inputs in reports. The numbers are those of `InputKind` in tine's trace format. */
enum __tine_input_kind {
    __TINE_BYTES = 0,
    __TINE_BOOL = 1,
    __TINE_CHAR = 2,
    __TINE_SIGNED = 3,
    __TINE_UNSIGNED = 4,
    __TINE_FLOAT = 5,
    __TINE_POINTER = 6
};

/* Errors that a program may report itself. The numbers are those of `ErrorKind` in tine's trace format. */
enum __tine_error_kind {
    __TINE_ASSERTION_FAILURE = 1,
    __TINE_REACH_ERROR = 2,
    __TINE_ABORT = 3
};

/* Functions of the runtime. Programs use the interface below. */
void __tine_input(void *__to, __SIZE_TYPE__ __size, const char *__name, unsigned __kind);
unsigned __tine_choice(unsigned __n, const char *__name);
__attribute__((__noreturn__)) void __tine_reject(void);
void __tine_fail(unsigned __kind, const char *__message, const char *__file, unsigned __line);

/* Skips inputs for which the condition is false: such a run ends here and does not count as a path. The condition may
 * have any scalar type. A macro, so that the branch belongs to the line that states the condition. */
#define tine_assume(condition) ((condition) ? (void)0 : __tine_reject())
/* Reports an assertion failure at this line if the condition is false. The condition may have any scalar type. */
#define tine_assert(condition) \
    ((condition) ? (void)0 : __tine_fail(__TINE_ASSERTION_FAILURE, #condition, __FILE__, __LINE__))

/* Makes the `n` bytes at `p` an input. */
static __inline__ void tine_symbolic(void *__p, __SIZE_TYPE__ __n, const char *__name) {
    __tine_input(__p, __n, __name, __TINE_BYTES);
}

/* Returns one of 0 … n-1. Every value is explored. The result is an ordinary number, which may index arrays and select
 * functions. */
static __inline__ unsigned tine_choice(unsigned __n, const char *__name) {
    return __tine_choice(__n, __name);
}

/* One function per scalar type: the name of the type without spaces and `_t`, with `u` for unsigned. */
#define __TINE_SCALAR(function, type, kind)                           \
    static __inline__ type tine_##function(const char *__name) {      \
        type __value;                                                 \
        __tine_input(&__value, sizeof __value, __name, kind);         \
        return __value;                                               \
    }

__TINE_SCALAR(char, char, __TINE_CHAR)
__TINE_SCALAR(schar, signed char, __TINE_SIGNED)
__TINE_SCALAR(uchar, unsigned char, __TINE_UNSIGNED)
__TINE_SCALAR(short, short, __TINE_SIGNED)
__TINE_SCALAR(ushort, unsigned short, __TINE_UNSIGNED)
__TINE_SCALAR(int, int, __TINE_SIGNED)
__TINE_SCALAR(uint, unsigned int, __TINE_UNSIGNED)
__TINE_SCALAR(long, long, __TINE_SIGNED)
__TINE_SCALAR(ulong, unsigned long, __TINE_UNSIGNED)
__extension__ typedef long long __tine_longlong;
__extension__ typedef unsigned long long __tine_ulonglong;
__TINE_SCALAR(longlong, __tine_longlong, __TINE_SIGNED)
__TINE_SCALAR(ulonglong, __tine_ulonglong, __TINE_UNSIGNED)
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 __tine_int128;
__extension__ typedef unsigned __int128 __tine_uint128;
__TINE_SCALAR(int128, __tine_int128, __TINE_SIGNED)
__TINE_SCALAR(uint128, __tine_uint128, __TINE_UNSIGNED)
#endif

__TINE_SCALAR(int8, __INT8_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(uint8, __UINT8_TYPE__, __TINE_UNSIGNED)
__TINE_SCALAR(int16, __INT16_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(uint16, __UINT16_TYPE__, __TINE_UNSIGNED)
__TINE_SCALAR(int32, __INT32_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(uint32, __UINT32_TYPE__, __TINE_UNSIGNED)
__TINE_SCALAR(int64, __INT64_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(uint64, __UINT64_TYPE__, __TINE_UNSIGNED)
__TINE_SCALAR(size, __SIZE_TYPE__, __TINE_UNSIGNED)
__TINE_SCALAR(ptrdiff, __PTRDIFF_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(intptr, __INTPTR_TYPE__, __TINE_SIGNED)
__TINE_SCALAR(uintptr, __UINTPTR_TYPE__, __TINE_UNSIGNED)

__TINE_SCALAR(float, float, __TINE_FLOAT)
__TINE_SCALAR(double, double, __TINE_FLOAT)

/* An arbitrary address. It may be compared and used in arithmetic, but it points to no object. */
__TINE_SCALAR(pointer, void *, __TINE_POINTER)

#undef __TINE_SCALAR

#ifdef __cplusplus
typedef bool __tine_bool;
#else
typedef _Bool __tine_bool;
#endif

/* Returns false or true. Uses one bit of a byte, because a `_Bool` other than 0 or 1 would be an error in itself. */
static __inline__ __tine_bool tine_bool(const char *__name) {
    unsigned char __byte;
    __tine_input(&__byte, sizeof __byte, __name, __TINE_BOOL);
    return (__byte & 1) != 0;
}

#ifdef __cplusplus
}
#endif

#endif
