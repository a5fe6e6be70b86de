/* Variables of the file, and arrays. */
static int state, other;
static int table[8];
static void set(int v) {
    state = v;              //~ TARGET
}
int f(unsigned i, int v) {
    if (v > 100)            //~ DECIDES
        set(v);
    if (other)              //~ UNRELATED
        other = 2;
    table[i % 8] = state;
    int r = 0;
    if (table[3] == 5)      //~ INFLUENCED
        r = 1;
    if (state == 9)         //~ INFLUENCED
        r = 2;
    return r;
}
