// tine-test: fn=pair
// A table of functions has a hole.
typedef int (*operation)(int);
static int one(int x) { return x > 0; }
static void fill(operation *table, int n) {
    for (int i = 0; i < n; i++)
        table[i] = one;
}

static int both(int faulty, int k) {
    operation table[3];
    fill(table, faulty ? 2 : 3);
    return k == 10 ? table[2](k) : 0; //~ ERROR uninitialised read
}

int pair(int faulty, int k) { return both(faulty, k); }
