// tine-test: fn=pair
// CWE-758: the compiler assumes something false.
int bad(unsigned char x) {
    if (x % 5 == 4 && x > 200)
        __builtin_unreachable(); //~ ERROR unreachable code reached
    return (int)(x % 5);
}

int good(unsigned char x) {
    if (x % 5 == 5)
        __builtin_unreachable();
    return (int)(x % 5);
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
