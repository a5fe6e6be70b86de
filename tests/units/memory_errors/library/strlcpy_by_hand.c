// tine-test: fn=pair max-string=5
// CWE-193: a bounded copy by hand writes its terminator at the limit.
static void copy(char *to, const char *from, unsigned limit) {
    unsigned i = 0;
    for (; i < limit && from[i]; i++)
        to[i] = from[i];
    to[i] = 0; //~ ERROR out-of-bounds write
}

int bad(const char *s) {
    char name[4];
    copy(name, s, sizeof name);
    return name[0];
}

int good(const char *s) {
    char name[4];
    copy(name, s, sizeof name - 1);
    return name[0];
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
