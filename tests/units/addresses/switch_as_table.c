// tine-test: fn=switch_as_table cflags="-O2"
// A `switch` that the compiler turns into a table.
#include <tine.h>

static int days(unsigned month) {
    switch (month) {
    case 0: return 31;
    case 1: return 28;
    case 2: return 31;
    case 3: return 30;
    case 4: return 31;
    case 5: return 30;
    case 6: return 31;
    case 7: return 31;
    case 8: return 30;
    case 9: return 31;
    case 10: return 30;
    case 11: return 31;
    default: return 0;
    }
}

int switch_as_table(unsigned m) {
    int d = days(m);
    if (d == 28)                                //~ COVERED
        tine_assert(m != 1);                    //~ ERROR assertion failure
    if (d == 29)
        return -1;                              //~ UNREACHABLE
    return 0;
}
