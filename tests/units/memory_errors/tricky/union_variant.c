// tine-test: fn=f
// A variant: only the member that the tag names is set, and the whole is passed and returned by value.
struct variant {
    enum { INT, PAIR, TEXT } tag;
    union {
        int i;
        struct {
            short a, b;
        } pair;
        char text[12];
    } u;
};

static struct variant make(int k) {
    struct variant v;
    if (k < 0) {
        v.tag = INT;
        v.u.i = k;
    } else if (k < 100) {
        v.tag = PAIR;
        v.u.pair.a = (short)k;
        v.u.pair.b = 2;
    } else {
        v.tag = TEXT;
        v.u.text[0] = 't';
        v.u.text[1] = 0;
    }
    return v;
}

static int look(struct variant v) {
    switch (v.tag) {
    case INT:
        return v.u.i == -5 ? 1 : 2;
    case PAIR:
        if (v.u.pair.a == v.u.pair.b)
            return 3;
        return 4;
    default:
        return v.u.text[1] ? 5 : 6;
    }
}

int f(int k) {
    struct variant v = make(k), w = v;
    return look(w);
}
