// tine-test: fn=pair
// CWE-835: an unsigned counter is never below zero.
int bad(unsigned char n) {
    int s = 0;
    if (n != 9)
        return 0;
    for (unsigned char i = n; i >= 0; i--) //~ ERROR endless loop
        s ^= i;
    return s;
}

int good(unsigned char n) {
    int s = 0;
    if (n != 9)
        return 0;
    for (unsigned char i = n; i-- > 0;)
        s ^= i;
    return s;
}

int pair(int faulty, unsigned char n) { return faulty ? bad(n) : good(n); }
