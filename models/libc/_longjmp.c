#include "jump.h"

void library__longjmp(struct __jmp_buf_tag *place, int value) __attribute__((__noreturn__)) LIBRARY(_longjmp);

void _longjmp(jmp_buf place, int value) { library__longjmp(place, as_number(value)); }
