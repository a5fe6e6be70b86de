// tine-test: fn=pair
// CWE-457: one member of a structure is forgotten. The twin copies the whole structure with its padding.
struct shape {
    char kind;
    int size;
    char filled;
};

static void init(struct shape *s, char kind) {
    s->kind = kind;
    s->size = 1;
    if (kind != 'c')
        s->filled = 0;
}

int bad(char kind) {
    struct shape s;
    init(&s, kind);
    if (s.filled) //~ ERROR uninitialised read
        return 1;
    return 2;
}

int good(char kind) {
    struct shape s, copy;
    init(&s, kind);
    copy = s; /* with padding, and perhaps without `filled` */
    if (copy.size && copy.kind == 'c')
        return 1;
    return 2;
}

int pair(int faulty, char kind) { return faulty ? bad(kind) : good(kind); }
