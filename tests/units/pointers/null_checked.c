// tine-test: fn=get paths=3
// One that is checked is not; what it points to is an input.
#include <stdlib.h>

int get(const int *p) {
    if (!p)                     //~ COVERED
        return 0;
    if (*p == 0x1234567)        //~ COVERED
        abort();                //~ ERROR abort
    return 1;
}
