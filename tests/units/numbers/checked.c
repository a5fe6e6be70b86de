// tine-test: fn=checked
// A number that the path uses as a pointer is not an input that counts: no error, and the objects there could be are tried.
#include <stdlib.h>

int checked(int *p) {
    if ((long)p == 77)
        return 1;
    if (!p)
        return 2;
    if (*p == 6)
        abort(); //~ ERROR abort
    return 0;
}
