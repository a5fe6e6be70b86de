// tine-test: fn=enum_parameter
// An enumeration as parameter, compared and computed with.
#include <tine.h>

enum level { LOW = 1, MIDDLE = 10, HIGH = 100 };

int enum_parameter(enum level a, enum level b) {
    if (a == HIGH && b == MIDDLE)           //~ COVERED
        tine_assert(a / b != 10);           //~ ERROR assertion failure
    if (a == LOW)                           //~ COVERED
        if (a + 9 != MIDDLE)
            return -1;                      //~ UNREACHABLE
    return 0;
}
