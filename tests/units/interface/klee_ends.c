// tine-test: program paths=4
// The ways a program can end KLEE: silently is not a path, the others are errors.
#include <klee/klee.h>

int main(void) {
    int x = klee_int("x");
    klee_warning("starting");
    klee_open_merge();
    if (x == 1)
        klee_silent_exit(0);
    if (x == 2)
        klee_abort();                       //~ ERROR abort
    if (x == 3)
        klee_report_error(__FILE__, __LINE__, "three", "user.err");     //~ ERROR assertion failure
    klee_close_merge();
    if (klee_choose(2) == 1)                //~ COVERED
        return 1;
    return klee_is_symbolic(7) != 0;
}
