// tine-test: fn=pair cflags=-Wno-return-stack-address
// CWE-562: a parameter is a local variable, too.
static int *larger(int a, int b) {
    int *pa = &a, *pb = &b;
    return a > b ? pa : pb;
}

static int *larger_of(int *a, int *b) { return *a > *b ? a : b; }

int bad(int a, int b) {
    int *p = larger(a, b);
    return a == 4 ? *p : 0; //~ ERROR use after return
}

int good(int a, int b) {
    int *p = larger_of(&a, &b);
    return a == 4 ? *p : 0;
}

int pair(int faulty, int a, int b) { return faulty ? bad(a, b) : good(a, b); }
