#include <setjmp.h>

#include "library.h"

void library_longjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(longjmp);

/* Only an instrumented call of the function, for programs that use a pointer to it. */
void longjmp(jmp_buf place, int value) { library_longjmp(place, value); }
