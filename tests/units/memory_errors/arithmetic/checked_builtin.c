// tine-test: fn=pair
// CWE-190: the overflow is noticed by the builtin, and the wrapped result is used all the same.
int bad(int a, int b) {
    int r;
    if (__builtin_mul_overflow(a, b, &r))
        r = a * b; //~ ERROR signed integer overflow
    return r;
}

int good(int a, int b) {
    int r;
    if (__builtin_mul_overflow(a, b, &r))
        r = 0;
    return r;
}

int pair(int faulty, int a, int b) { return faulty ? bad(a, b) : good(a, b); }
