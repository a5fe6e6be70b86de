#include <setjmp.h>

#include "library.h"

void library__longjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(_longjmp);

/* Only an instrumented call of the function, for programs that use a pointer to it. */
void _longjmp(jmp_buf place, int value) { library__longjmp(place, value); }
