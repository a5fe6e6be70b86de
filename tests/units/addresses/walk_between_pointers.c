// tine-test: fn=walk_between_pointers
// From a pointer that depends on an input to the end.
#include <tine.h>

int walk_between_pointers(unsigned i) {
    static const int a[5] = {1, 2, 4, 8, 16};
    int sum = 0;
    for (const int *p = a + i % 5, *end = a + 5; p < end; p++)
        sum += *p;
    if (sum == 28)                                                      //~ COVERED
        tine_assert(i % 5 != 2);                                        //~ ERROR assertion failure
    if (sum == 17)
        return -1;                                                      //~ UNREACHABLE
    return sum;
}
