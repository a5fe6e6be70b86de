// tine-test: fn=function
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

static int one(void) { return 1; }
int (*taken)(void) = one;
struct function { int tag; union { int (*f)(void); long n; } u; };
int function(struct function v) {
    if (v.tag == 0 && v.u.n == 55)
        abort(); //~ ERROR abort
    if (v.tag == 1 && v.u.f && v.u.f() == 1)
        abort(); //~ ERROR abort
    return 0;
}
