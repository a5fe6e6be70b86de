// tine-test: fn=f
// A table with a count: the elements after the count are never looked at.
struct table {
    int n, keys[8];
    const char *names[8];
};

static void add(struct table *t, int key, const char *name) {
    if (t->n < 8) {
        t->keys[t->n] = key;
        t->names[t->n++] = name;
    }
}

int f(int k) {
    struct table t;
    t.n = 0;
    add(&t, 5, "five");
    add(&t, 6, "six");
    if (k > 0)
        add(&t, k, "other");
    struct table copy = t;
    for (int i = 0; i < copy.n; i++)
        if (copy.keys[i] == 17 && copy.names[i][0] == 'o')
            return i;
    return -1;
}
