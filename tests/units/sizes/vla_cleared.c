// tine-test: fn=vla_cleared
// Two lengths that are one input: the second says nothing new.
#include <string.h>
#include <tine.h>

int vla_cleared(unsigned n, unsigned at) {
    tine_assume(n >= 1 && n <= 5);
    int v[n];
    memset(v, 0, n * sizeof *v);
    v[at % n] = 7;
    unsigned sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += (unsigned)v[k];
    tine_assert(sum == 7);
    if (n == 4 && v[2])                         //~ COVERED
        tine_assert(at != 1002);                //~ ERROR assertion failure
    return 0;
}
