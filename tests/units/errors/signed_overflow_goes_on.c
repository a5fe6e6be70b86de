// tine-test: fn=goes_on exit=1
// The run goes on as the machine does, so the wrapped value reaches the next error.
#include <tine.h>

int goes_on(int x) {
    int y = x + 1;                          //~ ERROR signed integer overflow
    if (x > 0)                              //~ COVERED
        tine_assert(y > 0);                 //~ ERROR assertion failure
    return 0;
}
