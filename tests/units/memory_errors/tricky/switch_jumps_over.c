// tine-test: fn=pair
// CWE-457: a jump into a block skips the initialisation, not the variable.
int bad(int k) {
    switch (k) {
        int x;
    case 1:
        x = 5;
        return x;
    case 2:
        if (x == 5) //~ ERROR uninitialised read
            return 1;
        return 2;
    }
    return 0;
}

int good(int k) {
    switch (k) {
        int x;
    case 1:
        x = 5;
        return x;
    case 2:
        x = 6;
        if (x == 5)
            return 1;
        return 2;
    }
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
