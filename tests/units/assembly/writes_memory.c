// tine-test: fn=writes_memory
// What assembly writes is concrete, and where no input lies before it, nothing is lost.
#include <tine.h>

int writes_memory(int x) {
    volatile int y = x;
    __asm__("movl $7, %0" : "=m"(y));
    tine_assert(y == 7);
    int cells[2] = {1, 2}, *p = cells;
    __asm__ volatile("movl $9, (%0)" : : "r"(p) : "memory");
    tine_assert(x != 4711 || cells[0] != 9);            //~ ERROR assertion failure
    return 0;
}
