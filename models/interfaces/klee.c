/* The functions of KLEE that `compat/klee/klee.h` declares, or that programs declare themselves. Their meaning is
 * described there. Names in parentheses are those that the header also defines as macros. */
#define _GNU_SOURCE
#include <errno.h>
#include <klee/klee.h>
#include <sys/mman.h>

#define WEAK __attribute__((__weak__))

long write(int descriptor, const void *bytes, size_t n);

/* Inputs. KLEE calls an object without a name "unnamed". */

WEAK void klee_make_symbolic(void *addr, size_t nbytes, const char *name) {
    __tine_input(addr, nbytes, name ? name : "unnamed", __TINE_BYTES);
}

WEAK int klee_int(const char *name) {
    int value;
    __tine_input(&value, sizeof value, name ? name : "unnamed", __TINE_SIGNED);
    return value;
}

WEAK int klee_range(int begin, int end, const char *name) {
    int value = klee_int(name);
    /* One comparison for both limits: the distance from `begin`, which may be larger than an int. */
    if ((unsigned)value - (unsigned)begin >= (unsigned)end - (unsigned)begin)
        __tine_reject();
    return value;
}

WEAK uintptr_t klee_choose(uintptr_t n) {
    uintptr_t value;
    __tine_input(&value, sizeof value, "klee_choose", __TINE_UNSIGNED);
    if (value >= n)
        __tine_reject();
    return value;
}

/* Conditions and ends. */

WEAK void (klee_assume)(uintptr_t condition) {
    if (!condition)
        __tine_reject();
}

WEAK void klee_silent_exit(int status) {
    (void)status;
    __tine_reject();
}

WEAK void (klee_abort)(void) {
    __tine_fail(__TINE_ABORT, "klee_abort", __FILE__, __LINE__);
    __builtin_trap();
}

WEAK void (klee_report_error)(const char *file, int line, const char *message, const char *suffix) {
    (void)suffix;
    __tine_fail(__TINE_ASSERTION_FAILURE, message, file, (unsigned)line);
    __builtin_trap();
}

/* Queries of values. */

/* As without KLEE. If the value depends on inputs, the place is counted for the verdict, like those below, because code
 * that depends on the other answer was not explored. */
WEAK unsigned klee_is_symbolic(uintptr_t n) {
    __asm__("nop" : "+r"(n));
    return 0;
}

WEAK unsigned klee_is_replay(void) { return 0; }

/* A value that passes through assembly loses its expression, and the place is counted for the verdict. */
WEAK float klee_get_valuef(float value) {
    __asm__("nop" : "+x"(value));
    return value;
}

WEAK double klee_get_valued(double value) {
    __asm__("nop" : "+x"(value));
    return value;
}

WEAK long klee_get_valuel(long value) {
    __asm__("nop" : "+r"(value));
    return value;
}

WEAK long long klee_get_valuell(long long value) {
    __asm__("nop" : "+r"(value));
    return value;
}

WEAK int32_t klee_get_value_i32(int32_t value) {
    __asm__("nop" : "+r"(value));
    return value;
}

WEAK int64_t klee_get_value_i64(int64_t value) {
    __asm__("nop" : "+r"(value));
    return value;
}

/* Touches both ends: unmapped memory shows as an invalid access. */
WEAK void klee_check_memory_access(const void *address, size_t size) {
    const volatile unsigned char *bytes = address;
    if (size == 0)
        return;
    (void)bytes[0];
    (void)bytes[size - 1];
}

/* Whole pages. Pages that an earlier call made already exist. */
WEAK void klee_define_fixed_object(void *addr, size_t nbytes) {
    uintptr_t page = 4096, start = (uintptr_t)addr & ~(page - 1), end = (uintptr_t)addr + nbytes;
    for (uintptr_t at = start; at < end; at += page) {
        void *there = mmap((void *)at, page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (there == MAP_FAILED && errno != EEXIST) {
            __tine_fail(__TINE_ABORT, "klee_define_fixed_object: no memory can be there", __FILE__, __LINE__);
            __builtin_trap();
        }
    }
}

WEAK int klee_get_errno(void) { return errno; }

/* Output. */

static void say(const char *text) {
    size_t length = 0;
    while (text[length])
        length++;
    if (write(2, text, length) < 0)
        return;
}

WEAK void klee_warning(const char *message) {
    say("KLEE: WARNING: ");
    say(message);
    say("\n");
}

WEAK void klee_warning_once(const char *message) {
    static const char *said[32];
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (said[i] == message)
            return;
        if (!said[i]) {
            said[i] = message;
            break;
        }
    }
    klee_warning(message);
}

WEAK void klee_print_expr(const char *message, ...) {
    say(message);
    say("\n");
}

WEAK void klee_print_range(const char *name, int value) {
    (void)value;
    say(name);
    say("\n");
}

WEAK void klee_stack_trace(void) {}

/* Hints for KLEE's search. */

WEAK void klee_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) {
    (void)object;
    (void)condition;
}

WEAK void klee_mark_global(void *object) { (void)object; }

WEAK void klee_set_forking(unsigned enable) { (void)enable; }

WEAK void klee_open_merge(void) {}

WEAK void klee_close_merge(void) {}
