// tine-test: fn=pair
// CWE-124: digits are written backwards into a buffer that is too small by one.
int bad(unsigned char x) {
    char digits[2], *p = digits + 2;
    do {
        *--p = (char)('0' + x % 10); //~ ERROR out-of-bounds write
        x /= 10;
    } while (x);
    return *p;
}

int good(unsigned char x) {
    char digits[3], *p = digits + 3;
    do {
        *--p = (char)('0' + x % 10);
        x /= 10;
    } while (x);
    return *p;
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
