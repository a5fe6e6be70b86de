// tine-test: program paths=2
// The older error function of SV-COMP.
extern void __VERIFIER_error(void) __attribute__((noreturn));
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    if (__VERIFIER_nondet_uint() == 4242u)
        __VERIFIER_error();                 //~ ERROR reach_error
    return 0;
}
