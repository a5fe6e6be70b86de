#include "jump.h"

void library_siglongjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(siglongjmp);

void siglongjmp(sigjmp_buf place, int value) { library_siglongjmp(place, as_number(value)); }
