// tine-test: fn=pair
// CWE-562: each round of a loop has its own variable. The twin uses its address within the round.
int bad(int n) {
    int *last = 0, s = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i;
        s += square;
        last = &square;
    }
    return n == 2 ? *last : s; //~ ERROR use after scope
}

int good(int n) {
    int s = 0;
    for (int i = 0; i < 3; i++) {
        int square = i * i, *p = &square;
        if (n == 2)
            s += *p;
    }
    return s;
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
