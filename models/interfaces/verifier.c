/* The functions of Test-Comp and SV-COMP programs, which declare them themselves.
 *
 * Every definition is weak, because many programs define their own `__VERIFIER_assert` or `__VERIFIER_assume`.
 * `reach_error` is in a separate file.
 */
#include <tine.h>

#define WEAK __attribute__((__weak__))

/* An input named after its function. */
#define NONDET(name, type, kind)                              \
    type __VERIFIER_nondet_##name(void);                      \
    WEAK type __VERIFIER_nondet_##name(void) {                \
        type value;                                           \
        __tine_input(&value, sizeof value, #name, kind);      \
        return value;                                         \
    }

_Bool __VERIFIER_nondet_bool(void);
WEAK _Bool __VERIFIER_nondet_bool(void) { return tine_bool("bool"); }

NONDET(char, char, __TINE_CHAR)
NONDET(schar, signed char, __TINE_SIGNED)
NONDET(uchar, unsigned char, __TINE_UNSIGNED)
NONDET(unsigned_char, unsigned char, __TINE_UNSIGNED)
NONDET(short, short, __TINE_SIGNED)
NONDET(ushort, unsigned short, __TINE_UNSIGNED)
NONDET(unsigned_short, unsigned short, __TINE_UNSIGNED)
NONDET(int, int, __TINE_SIGNED)
NONDET(uint, unsigned int, __TINE_UNSIGNED)
NONDET(unsigned, unsigned int, __TINE_UNSIGNED)
NONDET(unsigned_int, unsigned int, __TINE_UNSIGNED)
NONDET(long, long, __TINE_SIGNED)
NONDET(ulong, unsigned long, __TINE_UNSIGNED)
NONDET(unsigned_long, unsigned long, __TINE_UNSIGNED)
NONDET(longlong, long long, __TINE_SIGNED)
NONDET(ulonglong, unsigned long long, __TINE_UNSIGNED)
NONDET(int128, __int128, __TINE_SIGNED)
NONDET(uint128, unsigned __int128, __TINE_UNSIGNED)
NONDET(float, float, __TINE_FLOAT)
NONDET(double, double, __TINE_FLOAT)

NONDET(S8, signed char, __TINE_SIGNED)
NONDET(S16, short, __TINE_SIGNED)
NONDET(S32, int, __TINE_SIGNED)
NONDET(S64, long long, __TINE_SIGNED)
NONDET(U8, unsigned char, __TINE_UNSIGNED)
NONDET(U16, unsigned short, __TINE_UNSIGNED)
NONDET(U32, unsigned int, __TINE_UNSIGNED)
NONDET(U64, unsigned long long, __TINE_UNSIGNED)
NONDET(s8, signed char, __TINE_SIGNED)
NONDET(s16, short, __TINE_SIGNED)
NONDET(s32, int, __TINE_SIGNED)
NONDET(s64, long long, __TINE_SIGNED)
NONDET(u8, unsigned char, __TINE_UNSIGNED)
NONDET(u16, unsigned short, __TINE_UNSIGNED)
NONDET(u32, unsigned int, __TINE_UNSIGNED)
NONDET(u64, unsigned long long, __TINE_UNSIGNED)

/* Types of the kernel and of POSIX in the 64-bit data model. */
NONDET(size_t, unsigned long, __TINE_UNSIGNED)
NONDET(ssize_t, long, __TINE_SIGNED)
NONDET(ptrdiff_t, long, __TINE_SIGNED)
NONDET(off_t, long, __TINE_SIGNED)
NONDET(loff_t, long long, __TINE_SIGNED)
NONDET(sector_t, unsigned long, __TINE_UNSIGNED)
NONDET(pthread_t, unsigned long, __TINE_UNSIGNED)

/* Addresses that point to no object. */
NONDET(pointer, void *, __TINE_POINTER)
NONDET(charp, char *, __TINE_POINTER)
NONDET(pchar, char *, __TINE_POINTER)
NONDET(const_char_pointer, const char *, __TINE_POINTER)

void __VERIFIER_nondet_memory(void *memory, unsigned long size);
WEAK void __VERIFIER_nondet_memory(void *memory, unsigned long size) {
    __tine_input(memory, size, "memory", __TINE_BYTES);
}

void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) {
    if (!condition)
        __tine_reject();
}

/* The error function of rules older than `reach_error`; a call of it is the error. */
__attribute__((__noreturn__)) void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void) {
    __tine_fail(__TINE_REACH_ERROR, "__VERIFIER_error", __FILE__, __LINE__);
    __builtin_trap();
}

void __VERIFIER_assert(int condition);
WEAK void __VERIFIER_assert(int condition) {
    if (!condition)
        __tine_fail(__TINE_ASSERTION_FAILURE, "__VERIFIER_assert", __FILE__, __LINE__);
}

/* Markers of critical sections. They have no effect, because there is one thread. */
void __VERIFIER_atomic_begin(void);
WEAK void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void);
WEAK void __VERIFIER_atomic_end(void) {}
