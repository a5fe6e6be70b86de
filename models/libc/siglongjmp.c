#include <setjmp.h>

#include "library.h"

void library_siglongjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(siglongjmp);

/* Nothing but an instrumented call of it: also where the program has a pointer to it. */
void siglongjmp(sigjmp_buf place, int value) { library_siglongjmp(place, value); }
