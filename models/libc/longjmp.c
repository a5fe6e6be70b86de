#include "jump.h"

void library_longjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(longjmp);

void longjmp(jmp_buf place, int value) { library_longjmp(place, as_number(value)); }
