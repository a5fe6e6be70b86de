// tine-test: fn=pair
// CWE-457: a switch covers all values but one.
int bad(unsigned k) {
    int r;
    switch (k % 3) {
    case 0: r = 4; break;
    case 1: r = 5; break;
    }
    if (r == 4) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(unsigned k) {
    int r;
    switch (k % 3) {
    case 0: r = 4; break;
    case 1: r = 5; break;
    case 2: r = 6; break;
    }
    if (r == 4)
        return 1;
    return 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
