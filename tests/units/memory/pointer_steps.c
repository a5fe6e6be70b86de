// tine-test: fn=pointer_steps
// Walking with pointers, forwards and backwards, and through a second level.
#include <tine.h>

int pointer_steps(int a, int b) {
    int v[4] = {1, a, b, 4};
    int *p = v, **pp = &p;
    ++*pp;
    int first = *p++;
    int second = *p;
    int *end = v + 4;
    int last = end[-1];
    if (first == 12 && second == 34)      //~ COVERED
        tine_assert(a != 12 || b != 34);                //~ ERROR assertion failure
    if (last != 4)
        return -2;                                      //~ UNREACHABLE
    return 0;
}
