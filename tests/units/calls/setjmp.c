// tine-test: fn=jump_back
// A jump out of nested calls, back to where the mark was set.
#include <setjmp.h>
#include <tine.h>

static jmp_buf mark;

static void deep(int n, int x) {
    if (n > 0) {
        deep(n - 1, x);
        return;
    }
    if (x == 4242)                          //~ COVERED
        longjmp(mark, 3);
}

int jump_back(int x) {
    volatile int progress = 0;
    int code = setjmp(mark);
    if (code == 0) {                        //~ COVERED
        progress = 1;
        deep(5, x);
        progress = 2;
    }
    if (code == 3)                          //~ COVERED
        tine_assert(progress != 1);         //~ ERROR assertion failure
    else if (progress != 2)
        return -1;                          //~ UNREACHABLE
    return 0;
}
