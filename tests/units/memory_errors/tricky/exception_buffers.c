// tine-test: fn=pair
// CWE-121: exceptions by `setjmp`, nested, with arrays in the frames that handle them.
#include <setjmp.h>

static jmp_buf *handler;

static void fail(int code) { longjmp(*handler, code); }

static int attempt(int depth, int code, int at) {
    jmp_buf here, *outer = handler;
    int marks[3] = {0};
    int *p = marks;
    if (setjmp(here) == 0) {
        handler = &here;
        if (depth)
            attempt(depth - 1, code, at);
        else if (code)
            fail(code);
    } else {
        p[depth == 0 ? at : 2] = 1; //~ ERROR out-of-bounds write
        handler = outer;
        if (outer)
            fail(code);
    }
    handler = outer;
    return marks[2];
}

int bad(int code) { return handler = 0, attempt(2, code == 7 ? 7 : 0, 3); }
int good(int code) { return handler = 0, attempt(2, code == 7 ? 7 : 0, 1); }
int pair(int faulty, int code) { return faulty ? bad(code) : good(code); }
