// tine-test: fn=pair
// CWE-457: one bit-field of a word is set, its neighbour is read.
struct flags {
    unsigned open : 1;
    unsigned dirty : 1;
    unsigned mode : 6;
};

static void init(struct flags *f, unsigned mode) {
    f->open = 1;
    f->mode = mode;
}

int bad(unsigned mode) {
    struct flags f;
    init(&f, mode);
    if (mode == 20 && f.dirty) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(unsigned mode) {
    struct flags f;
    init(&f, mode);
    if (mode == 20 && f.mode == 20 && f.open)
        return 1;
    return 0;
}

int pair(int faulty, unsigned mode) { return faulty ? bad(mode) : good(mode); }
