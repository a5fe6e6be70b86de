// tine-test: fn=infeasible branches=10 infeasible=5
// What a complete exploration has not taken is infeasible: by the input, by constants, or after something that is.
static int level = 2;

static int unused(int x) {
    return x > 3 && x < 9;
}

int infeasible(unsigned char x) {
    int (*kept)(int) = unused;
    if (level > 5 && x)                         //~ COVERED but 3: the level is 2
        return kept == 0;
    if (x > 200)                                //~ COVERED
        return x < 100 ? x : level;             //~ COVERED but 1: it is more than 200
    return level ? 0 : x;                       //~ COVERED but 1: the level is 2
}
