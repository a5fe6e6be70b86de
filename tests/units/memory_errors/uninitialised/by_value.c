// tine-test: fn=pair
// A large structure that is passed by value has one member that was not set.
struct big {
    long a[4];
    int flag;
};

static int ask(struct big b) {
    if (b.flag) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int bad(int k) {
    struct big b;
    b.a[k & 3] = 1;
    if (k != 6)
        b.flag = 0;
    return ask(b);
}

int good(int k) {
    struct big b;
    b.a[k & 3] = 1;
    b.flag = k != 6;
    return ask(b);
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
