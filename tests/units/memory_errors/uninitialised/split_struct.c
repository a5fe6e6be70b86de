// tine-test: fn=pair
// CWE-457: a member that one of two branches forgets.
struct range {
    int low, high;
};

int bad(int k) {
    struct range r;
    r.low = 1;
    if (k < 100)
        r.high = k;
    switch (r.high) { //~ ERROR uninitialised read
    case 3:
        return r.low;
    default:
        return 0;
    }
}

int good(int k) {
    struct range r;
    r.low = 1;
    if (k < 100)
        r.high = k;
    else
        r.high = 100;
    switch (r.high) {
    case 3:
        return r.low;
    default:
        return 0;
    }
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
