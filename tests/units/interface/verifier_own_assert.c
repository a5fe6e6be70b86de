// tine-test: program paths=2
// A program may define what the interface library has, too.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

void __VERIFIER_assert(int condition) {
    if (!condition)
        reach_error();                      //~ ERROR reach_error
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x != 0x7abc);
    return 0;
}
