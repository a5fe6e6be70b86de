// A function that `longjmp` returns to.
typedef long buffer[25];
int _setjmp(buffer) __attribute__((returns_twice));
int f(buffer b, int x) {
    if (_setjmp(b))
        return 2;
    return x > 1;
}
