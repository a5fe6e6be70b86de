// tine-test: fn=pair
// A union: the wide member has bytes that the narrow one did not set.
union word {
    unsigned char byte;
    unsigned wide;
};

static unsigned as_wide(union word *w) { return w->wide; }
static void put(union word *w, int k) { w->byte = (unsigned char)k; }

int bad(int k) {
    union word w;
    put(&w, k);
    if (k == 7 && as_wide(&w) == 7) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(int k) {
    union word w;
    put(&w, k);
    if (k == 7 && (as_wide(&w) & 0xff) == 7)
        return 1;
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
