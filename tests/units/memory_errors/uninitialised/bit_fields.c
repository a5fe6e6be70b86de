// tine-test: fn=pair
// Setting a bit-field reads and writes its neighbours, which is not a use of them.
struct flags {
    unsigned a : 3, b : 5, c : 8;
};

static void set(struct flags *f, int k) {
    f->a = 3;
    f->c = k & 1;
}

int bad(int k) {
    struct flags f;
    set(&f, k);
    if (k == 4 && f.b == 2) //~ ERROR uninitialised read
        return 1;
    return f.c;
}

int good(int k) {
    struct flags f;
    set(&f, k);
    f.b = k & 3;
    if (k == 4 && f.b == 2)
        return 1;
    return f.c;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
