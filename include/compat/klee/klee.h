/* klee/klee.h for programs written for KLEE. Differences in the meaning of functions:
 *
 *   klee_make_symbolic    any bytes, not only whole objects
 *   klee_silent_exit      the input is dropped: neither a path nor an error
 *   klee_abort            an error of kind "abort"
 *   klee_report_error     an error of kind "assertion failure" with the message
 *   klee_get_value…       the value in this run; it is concretised, which the verdict reports
 *   klee_is_symbolic      0, as when KLEE replays a test, so that tine's tests can be replayed, too; if the value
 *                         depends on inputs, the verdict reports that the other answer was not explored
 *   klee_define_fixed_object
 *                         whole pages of zeros, if the pages are not in use
 *   klee_prefer_cex, klee_mark_global, klee_open_merge, klee_close_merge, klee_set_forking, klee_stack_trace
 *                         nothing: they control KLEE's search or output and do not change the program's behaviour
 *   klee_print_expr, klee_print_range, klee_warning, klee_warning_once
 *                         write their text to stderr
 *
 * Calls of functions that change KLEE's own memory or code model are refused by the compiler.
 */
#ifndef TINE_COMPAT_KLEE_H
#define TINE_COMPAT_KLEE_H

#include <stddef.h>
#include <stdint.h>

#include "../../tine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Inputs. */
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name); /* begin ≤ value < end */
uintptr_t klee_choose(uintptr_t n);                   /* value < n, one symbolic number */

/* Conditions and ends. */
void klee_assume(uintptr_t condition);
__attribute__((__noreturn__)) void klee_silent_exit(int status);
__attribute__((__noreturn__)) void klee_abort(void);
__attribute__((__noreturn__)) void klee_report_error(const char *file, int line, const char *message,
                                                     const char *suffix);

/* The same as macros, so that the branch and the error belong to the line of the call. */
#define klee_assume(condition) ((condition) ? (void)0 : __tine_reject())
#define klee_assert(condition) \
    ((condition) ? (void)0 : __tine_fail(__TINE_ASSERTION_FAILURE, #condition, __FILE__, __LINE__))
#define klee_abort() (__tine_fail(__TINE_ABORT, "klee_abort", __FILE__, __LINE__), __builtin_trap())
#define klee_report_error(file, line, message, suffix) \
    (__tine_fail(__TINE_ASSERTION_FAILURE, message, file, (unsigned)(line)), (void)(suffix), __builtin_trap())

/* Questions about values. */
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
void klee_check_memory_access(const void *address, size_t size);
int klee_get_errno(void);
void klee_define_fixed_object(void *addr, size_t nbytes);

/* Output. */
void klee_warning(const char *message);
void klee_warning_once(const char *message);
void klee_print_expr(const char *message, ...);
void klee_print_range(const char *name, int value);
void klee_stack_trace(void);

/* Hints for KLEE's search. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_mark_global(void *object);
void klee_set_forking(unsigned enable);
void klee_open_merge(void);
void klee_close_merge(void);

/* Refused. */
#define __TINE_REFUSED __attribute__((__error__("tine has no counterpart of this function of KLEE")))
__TINE_REFUSED size_t klee_get_obj_size(void *ptr);
__TINE_REFUSED void klee_alias_function(const char *function, const char *replacement);
#undef __TINE_REFUSED

#ifdef __cplusplus
}
#endif

#endif
