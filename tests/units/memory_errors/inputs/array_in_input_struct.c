// tine-test: fn=pair
// CWE-129: a structure that is an input has an index that leaves its own array.
struct state {
    unsigned at;
    int slot[4];
};

int bad(const struct state *s) { return s ? s->slot[s->at % 5] : 0; } //~ ERROR array index out of bounds
int good(const struct state *s) { return s ? s->slot[s->at % 4] : 0; }
int pair(int faulty, const struct state *s) { return faulty ? bad(s) : good(s); }
