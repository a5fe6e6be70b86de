// tine-test: fn=checked
// A jump to a label that the compiler knows, then a checked operation: no label may become another.
#include <tine.h>

static int shifted(unsigned amount) {
    static void *const labels[] = {&&skipped, &&taken};
    int n = 0;
    goto *labels[1];
skipped:
    n = 1;
taken:
    if ((175 >> (amount & 31)) > 3)     //~ COVERED
        amount++;
    return n;
}

static int divided(int by) {
    static void *const labels[] = {&&skipped, &&taken};
    int n = 0;
    goto *labels[1];
skipped:
    n = 1;
taken:
    if (by > 0 && 100 / by > 3)         //~ COVERED
        by++;
    return n;
}

int checked(unsigned amount, int by) {
    tine_assert(shifted(amount) == 0);
    tine_assert(divided(by) == 0);
    return 0;
}
