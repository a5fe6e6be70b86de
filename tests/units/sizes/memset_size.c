// tine-test: fn=memset_size
// As many bytes are filled as an input says.
#include <string.h>
#include <tine.h>

int memset_size(unsigned n, unsigned i) {
    char a[8] = {0};
    tine_assume(n <= 8);
    memset(a, 7, n);
    if (a[i & 7] == 7 && a[6] == 0)             //~ COVERED
        tine_assert(n != 5);                    //~ ERROR assertion failure
    if (a[i & 7] == 7 && (i & 7) >= n)
        return -1;                              //~ UNREACHABLE
    return 0;
}
