// tine-test: fn=many_ways exit=1
// Eight paths to one error make one entry.
#include <tine.h>

int many_ways(int a, int b, int c, int d) {
    int sum = 0;
    sum += a > 0 ? 1 : 0;
    if (b > 0)                              //~ COVERED
        sum++;
    if (c > 0)                              //~ COVERED
        sum++;
    if (a > 5)                              //~ COVERED
        sum++;
    tine_assert(d != 12);                   //~ ERROR assertion failure
    return sum;
}
