// tine-test: fn=cleanups branches=12
// Where to go on after leaving a scope is not a branch of the source.
static int closed;

static void closes(int *file) {
    closed += *file;
}

int cleanups(int n) {
    if (n > 1 && n < 5) {                       //~ COVERED
        int list[n];
        if (n % 2)                              //~ COVERED
            return 1;
        list[0] = 0;
    }
    for (int i = 0; i < 2; i++) {               //~ COVERED
        __attribute__((cleanup(closes))) int file = i;
        if (n == 7)                             //~ COVERED
            break;
        if (n == 8)                             //~ COVERED
            continue;
        closed++;
    }
    return 0;
}
