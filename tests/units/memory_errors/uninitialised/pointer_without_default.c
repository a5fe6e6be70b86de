// tine-test: fn=pair
// CWE-457: a pointer that one case of a switch does not set is dereferenced. It is not reported as a null pointer.
int bad(int k) {
    int value = 3, *p;
    switch (k) {
    case 1: p = &value; break;
    case 2: p = &k; break;
    }
    return *p; //~ ERROR uninitialised read
}

int good(int k) {
    int value = 3, *p;
    switch (k) {
    case 1: p = &value; break;
    case 2: p = &k; break;
    default: return 0;
    }
    return *p;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
