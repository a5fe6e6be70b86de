// tine-test: fn=memcpy_size
// As many bytes are copied as an input says.
#include <string.h>
#include <tine.h>

int memcpy_size(unsigned n, char x) {
    char a[6] = "aaaaa", b[6] = "bbbbb";
    tine_assume(n <= 5);
    b[2] = x;
    memcpy(a, b, n);
    if (a[2] == 'q' && a[3] == 'a')             //~ COVERED
        tine_assert(n != 3);                    //~ ERROR assertion failure
    if (a[4] == 'b' && a[1] == 'a')
        return -1;                              //~ UNREACHABLE
    return 0;
}
