// tine-test: fn=pair
// CWE-369: the divisor becomes zero by a conversion.
int bad(int n) {
    if (n == 0)
        return 0;
    signed char step = (signed char)n;
    return 100 / step; //~ ERROR division by zero
}

int good(int n) {
    signed char step = (signed char)n;
    if (step == 0)
        return 0;
    return 100 / step;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
