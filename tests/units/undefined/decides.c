// tine-test: fn=decide
// A variable that is not written on some path decides there.

static int branch(int a) {
    int x;
    if (a > 10)
        x = 1;
    if (x == 1)                         //~ ERROR uninitialised read
        return a;
    return 0;
}

static int maybe(int a) {
    int x;
    if (a > 10)
        x = 1;
    return x;
}

static int returned(int a) {
    if (maybe(a) == 1)                  //~ ERROR uninitialised read
        return 1;
    return 0;
}

static int switched(int a) {
    int x;
    if (a == 3)
        x = 2;
    switch (x + 1) {                    //~ ERROR uninitialised read
    case 1: return 5;
    case 3: return 6;
    default: return 7;
    }
}

static int indexed(unsigned char a) {
    static const int table[4] = {1, 2, 3, 4};
    unsigned i;
    if (a > 10)
        i = a & 3;
    return table[i & 3];                //~ ERROR uninitialised read
}

int memory;

static int stored(int a) {
    int x;
    if (a > 10)
        x = 1;
    memory = x;
    if (memory)                         //~ ERROR uninitialised read
        return 1;
    return 2;
}

static int in_loop(int a) {
    int last, n = 0;
    for (int i = 0; i < 4; i++) {
        if (a == i)
            last = i;
        if (last > 1)                   //~ ERROR uninitialised read
            n++;
    }
    return n;
}

int decide(unsigned which, int a) {
    switch (which) {
    case 0: return branch(a);
    case 1: return returned(a);
    case 2: return switched(a);
    case 3: return indexed((unsigned char)a);
    case 4: return stored(a);
    case 5: return in_loop(a);
    default: return 0;
    }
}
