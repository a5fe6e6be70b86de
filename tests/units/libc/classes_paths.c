// tine-test: fn=classes_paths paths=2
// One class is one decision.
#include <ctype.h>

int classes_paths(unsigned char c) {
    if (isxdigit(c))                                //~ COVERED
        return 1;
    return 0;
}
