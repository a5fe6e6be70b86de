// tine-test: fn=jumps
// Assembly that jumps, with numbers that are not inputs: everything around it is followed.
#include <tine.h>

int jumps(int x) {
    int seven = 7, next, way = 0;
    __asm__ goto("cmpl $7, %0; je %l[yes]" : : "r"(seven) : "cc" : yes);
    way = 1;
yes:
    tine_assert(way == 0);
    for (int i = 6; i < 10; i++) {
        __asm__ goto("leal 1(%1), %0; cmpl $9, %0; je %l[nine]; jg %l[more]" : "=r"(next) : "r"(i) : "cc" : nine, more);
        tine_assert(next == 7 || next == 8);
        continue;
    nine:
        way += 9;
        continue;
    more:
        way += next;
    }
    tine_assert(way == 19);
    if (x == next)                                      //~ COVERED
        return 1;
    tine_assert(x != 4711);                             //~ ERROR assertion failure
    return way;
}
