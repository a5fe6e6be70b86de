// tine-test: fn=longjmp_value
// What `longjmp` makes `setjmp` return is what it was given, and 1 for 0.
#include <setjmp.h>
#include <tine.h>

static jmp_buf place;

static void jump_by(int x) {
    if (x < 0)
        longjmp(place, -3);
    longjmp(place, x);
}

int longjmp_value(int x, int again) {
    int r = setjmp(place);
    if (r == 0) {
        if (x < 100)                                //~ COVERED
            jump_by(x);
        if (setjmp(place) == 0)                     //~ COVERED
            longjmp(place, x - 1);
        return again;
    }
    if (r == 1)                                     //~ COVERED
        tine_assert(x != 0);                        //~ ERROR assertion failure
    if (r == 77)                                    //~ COVERED
        tine_assert(x != 77);                       //~ ERROR assertion failure
    if (x >= 0)
        tine_assert(r == (x ? x : 1));
    else
        tine_assert(r == -3);
    return r;
}
