// tine-test: fn=f
// Small structures in registers, with members that one caller needs and another does not.
struct result {
    int ok, value;
};
struct wide {
    char c;
    double d;
};

static struct result get(int k) {
    struct result r;
    r.ok = k > 0;
    if (r.ok)
        r.value = k * 0 + 5;
    return r;
}

static struct wide widen(char c) {
    struct wide w;
    w.c = c;
    return w;
}

int f(int k) {
    struct result r = get(k & 0xff), s = r;
    struct wide w = widen('w');
    if (s.ok && s.value == 5)
        return w.c == 'w';
    return 0;
}
