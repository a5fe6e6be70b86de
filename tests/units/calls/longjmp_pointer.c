// tine-test: fn=longjmp_pointer
// The value also goes through a `longjmp` that is called by a pointer.
#include <setjmp.h>
#include <tine.h>

static jmp_buf place;
static void (*jump)(jmp_buf, int) = longjmp;

int longjmp_pointer(int x) {
    int r = setjmp(place);
    if (r == 0) {
        if (x > 100)                                //~ COVERED
            jump(place, x);
        if (x == 0)                                 //~ COVERED
            jump(place, x);
        return 0;
    }
    if (r == 4711)                                  //~ COVERED
        tine_assert(x != 4711);                     //~ ERROR assertion failure
    if (r == 1)                                     //~ COVERED
        tine_assert(x == 0);
    return r;
}
