// tine-test: fn=switch_default_middle paths=3
// The default stands between the cases and falls into one.
#include <tine.h>

int switch_default_middle(int x) {
    int trace = 0;
    switch (x) {                        //~ COVERED
    case 10:
        trace = 1;
        break;
    default:
        trace = 2;
        __attribute__((fallthrough));
    case 20:
        trace += 40;
        break;
    }
    tine_assert(trace == 1 || trace == 42 || trace == 40);
    return trace;
}
