#include <setjmp.h>

#include "library.h"

void library_siglongjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(siglongjmp);

/* Only an instrumented call of the function, for programs that use a pointer to it. */
void siglongjmp(sigjmp_buf place, int value) { library_siglongjmp(place, value); }
