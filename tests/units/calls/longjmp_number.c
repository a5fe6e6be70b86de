// tine-test: fn=longjmp_number
// A small number that depends on inputs goes through `longjmp`: a path for each.
#include <setjmp.h>
#include <tine.h>

static jmp_buf place;

int longjmp_number(unsigned x) {
    int r = setjmp(place);
    if (r == 0) {
        if (x < 10)                                 //~ COVERED
            longjmp(place, (int)x + 2);
        return 0;
    }
    if (r == 9)                                     //~ COVERED
        tine_assert(x != 7);                        //~ ERROR assertion failure
    tine_assert(r == (int)x + 2);
    return r;
}
