// tine-test: fn=two_kinds exit=1
// Different kinds at one line are different errors.
int two_kinds(int a, int b) {
    if (b < 0)                              //~ COVERED
        return 0;
    return (a + 1) / b;                     //~ ERROR signed integer overflow //~ ERROR division by zero
}
