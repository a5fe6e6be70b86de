// tine-test: program depth=20 verdict=bounded reason="depth bound" paths=1
// A loop that reads on and on: what it computes after the depth bound costs the search nothing.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned y = 1;
    for (int i = 0; i < 70000; i++) {
        y += 2u * (unsigned)__VERIFIER_nondet_int();
        if (y == 0)
            reach_error();                      //~ UNREACHABLE
    }
    return 0;
}
