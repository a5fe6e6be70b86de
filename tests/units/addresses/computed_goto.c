// tine-test: fn=computed_goto
// Jumps through a table of labels.
#include <tine.h>

int computed_goto(unsigned char i, unsigned char j) {
    static void *const labels[4] = {&&one, &&two, &&three, &&one};
    int v = 0;
    goto *labels[i & 3];
one:
    v = 1;
    goto done;
two:
    v = 2;
    goto done;
three:
    v = 3;
done:
    if (v == 3)                                 //~ COVERED
        tine_assert((i & 3) != 2 || j != 9);    //~ ERROR assertion failure
    tine_assert(v == (int)(i & 3) + 1 || (v == 1 && (i & 3) == 3));
    return 0;
}
