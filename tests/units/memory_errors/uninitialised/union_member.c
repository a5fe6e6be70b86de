// tine-test: fn=pair
// CWE-457: the small member is set, the large one is read. The twin reads the bytes that were set.
union value {
    unsigned char small;
    long large;
};

static void set(union value *v, unsigned char x) { v->small = x; }

int bad(unsigned char x) {
    union value v;
    set(&v, x);
    if (v.large == 5) //~ ERROR uninitialised read
        return 1;
    return 0;
}

int good(unsigned char x) {
    union value v;
    set(&v, x);
    if ((v.large & 255) == 5) /* the other bits do not matter */
        return 1;
    return 0;
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
