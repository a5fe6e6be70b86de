// tine-test: fn=pair run-timeout=50ms verdict=bounded reason="time limit"
// CWE-835: a sum of tenths never is exactly one.
int bad(int k) {
    int n = 0;
    if (k == 2)
        for (double x = 0; x != 1.0; x += 0.1) //~ ERROR endless loop
            n ^= 1;
    return n;
}

int good(int k) {
    int n = 0;
    if (k == 2)
        for (double x = 0; x != 1.0; x += 0.125)
            n ^= 1;
    return n;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
