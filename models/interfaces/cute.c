/* CUTE's conditions as functions, for programs that declare them instead of including `cute.h`. */
#include <tine.h>

void CUTE_assume(int condition);
__attribute__((__weak__)) void CUTE_assume(int condition) {
    if (!condition)
        __tine_reject();
}

void CUTE_assert(int condition);
__attribute__((__weak__)) void CUTE_assert(int condition) {
    if (!condition)
        __tine_fail(__TINE_ASSERTION_FAILURE, "CUTE_assert", __FILE__, __LINE__);
}
