// tine-test: fn=pair
// CWE-190: the smallest number has no absolute value. The twin negates as unsigned.
int bad(int x) {
    if (x < 0)
        x = -x; //~ ERROR signed integer overflow
    return x & 1;
}

int good(int x) {
    unsigned u = x < 0 ? 0u - (unsigned)x : (unsigned)x;
    return (int)(u & 1);
}

int pair(int faulty, int x) { return faulty ? bad(x) : good(x); }
