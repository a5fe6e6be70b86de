// tine-test: fn=pair
// Each iteration has a variable of its own, without the value of the one before.
static int both(int faulty, int k) {
    int r = 0;
    for (int i = 0; i < 3; i++) {
        int seen[2];
        if (i == 0 || !faulty)
            seen[0] = seen[1] = i;
        if (k == 13 && seen[1] == 0) //~ ERROR uninitialised read
            r++;
    }
    return r;
}

int pair(int faulty, int k) { return both(faulty, k); }
