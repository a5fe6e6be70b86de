// tine-test: fn=pair
// CWE-806: a loop as long as the source.
static const char source[] = "a long message";
static char target[8];

static void copy(char *to, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        to[i] = source[i]; //~ ERROR out-of-bounds write
}

int bad(int k) {
    copy(target, k == 1 ? sizeof source : 4);
    return target[0];
}

int good(int k) {
    copy(target, k == 1 ? sizeof target : 4);
    return target[0];
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
