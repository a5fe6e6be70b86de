// tine-test: fn=bool_parameter paths=4
// A bool is 0 or 1 and nothing else.
#include <stdbool.h>
#include <tine.h>

int bool_parameter(bool a, bool b) {
    int sum = a + b;
    if (sum > 2 || sum < 0)
        return -1;                          //~ UNREACHABLE
    if (a)                                  //~ COVERED
        tine_assert(!b);                    //~ ERROR assertion failure
    else if (b)                             //~ COVERED
        return 1;
    return 0;
}
