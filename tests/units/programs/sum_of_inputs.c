// tine-test: program paths=22
// As many inputs as another input says; only one sum is an error.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 0 || n > 6)
        return 0;
    for (int i = 0; i < n; i++) {               //~ COVERED
        int v = __VERIFIER_nondet_int();
        if (v < 0 || v > 3)                     //~ COVERED
            return 0;
        sum += v;
    }
    if (sum == 17)
        reach_error();                          //~ ERROR reach_error
    if (sum == 19)
        reach_error();                          //~ UNREACHABLE
    return 0;
}
