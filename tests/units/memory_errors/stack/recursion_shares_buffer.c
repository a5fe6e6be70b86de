// tine-test: fn=pair
// CWE-121: every level of a recursion writes one character into a buffer of the first.
static int digits(char *to, unsigned n) {
    int at = n >= 10 ? digits(to, n / 10) : 0;
    to[at] = (char)('0' + n % 10); //~ ERROR out-of-bounds write
    return at + 1;
}

int bad(unsigned n) {
    char text[3];
    return n < 2000 ? digits(text, n) : 0;
}

int good(unsigned n) {
    char text[4];
    return n < 2000 ? digits(text, n) : 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
