// tine-test: fn=pair
// CWE-476: a function that was not found is called.

typedef int operation(int);

static int one(int x) { return x; }

static operation *find(unsigned k) { return k == 3 ? 0 : one; }

int bad(unsigned k) {
    return find(k)(1); //~ ERROR null pointer dereference
}

int good(unsigned k) {
    operation *found = find(k);
    return found ? found(1) : 0;
}

int pair(int faulty, unsigned k) { return faulty ? bad(k) : good(k); }
