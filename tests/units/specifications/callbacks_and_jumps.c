// tine-test: fn=run
// Events by function pointers, in recursion, and before a jump out of several functions.
//@ spec nested {
//@   enter := call enter
//@   leave := call leave
//@   expects (enter (enter (enter leave)* leave)* leave)*
//@ }
#include <setjmp.h>

static jmp_buf out;

static void enter(void) {
}

static void leave(void) {
}

static void (*const steps[2])(void) = {enter, leave};

static void visit(int depth, int wanted) {
    steps[0](); //~ ERROR specification violated
    if (wanted == 99)
        longjmp(out, 1);
    if (depth < wanted)
        visit(depth + 1, wanted);
    steps[1]();
}

int run(int wanted, int again) {
    if (wanted > 4)
        wanted = 99;
    if (wanted < 1)
        return 0;
    if (setjmp(out) == 0)
        visit(1, wanted);
    else if (again == 5)
        leave();
    return 0;
}
