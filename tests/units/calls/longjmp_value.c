// tine-test: fn=longjmp_value verdict=incomplete reason="longjmp"
// What `longjmp` makes `setjmp` return comes back without its expression, and is said to.
#include <setjmp.h>
#include <tine.h>

static jmp_buf place;

int longjmp_value(int x) {
    int r = setjmp(place);
    if (r == 0) {
        if (x > 100)
            longjmp(place, x);
        return 0;
    }
    if (r == 4711)
        return 1;
    return r;
}
