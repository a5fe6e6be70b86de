// `asm goto` is outlined: its function is called, and the call is a note because the assembly is not followed.
int f(int x) {
    __asm__ goto("test %0, %0; jz %l1" : : "r"(x) : "cc" : zero);
    return 1;
zero:
    return 0;
}
