// tine-test: fn=pair
// CWE-190: the middle of two indices is computed by a sum that overflows.
int bad(int low, int high) {
    if (low < 0 || high < low)
        return 0;
    return (low + high) / 2; //~ ERROR signed integer overflow
}

int good(int low, int high) {
    if (low < 0 || high < low)
        return 0;
    return low + (high - low) / 2;
}

int pair(int faulty, int low, int high) { return faulty ? bad(low, high) : good(low, high); }
