// tine-test: fn=recursion
// Functions that call themselves and each other.
static int even(unsigned n);

static int odd(unsigned n) {
    return n != 0 && even(n - 1);
}

static int even(unsigned n) {
    return n == 0 || odd(n - 1);
}

static unsigned gcd(unsigned a, unsigned b) {
    return b ? gcd(b, a % b) : a;
}

int recursion(unsigned char a, unsigned char b) {
    if (a > 12 || b > 12)
        return 0;
    if (gcd(a, b) == 3 && !even(a))
        return 1;
    return odd(b);
}
