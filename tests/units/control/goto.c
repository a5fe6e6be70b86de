// tine-test: fn=jump
// A loop made of gotos, entered in the middle.
#include <tine.h>

int jump(unsigned x) {
    int n = 0;
    if (x > 4u)                             //~ COVERED
        goto middle;
top:
    n += 10;
middle:
    n += 1;
    if (n < 30 && x == 3u)                  //~ COVERED
        goto top;
    tine_assert(n != 34 && n != 33);        //~ ERROR assertion failure
    if (x > 4u && n != 1)
        return -1;                          //~ UNREACHABLE
    return n;
}
