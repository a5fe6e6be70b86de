// tine-test: program
// A program written for Test-Comp, with its own error function.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

void reach_error(void) { assert(0); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    unsigned char step = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(n > 0 && n < 1000);
    __VERIFIER_assume(step > 100);
    if (n > 1000 || step < 100)
        return 1;                           //~ UNREACHABLE
    if (__VERIFIER_nondet_bool())           //~ COVERED
        n += step;
    if (n == 1200)
        reach_error();                      //~ ERROR reach_error
    return 0;
}
