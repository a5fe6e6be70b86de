// tine-test: fn=branch verdict=incomplete reason="uninitialised value decides"
// tine-test: fn=returned verdict=incomplete reason="uninitialised value decides"
// tine-test: fn=switched verdict=incomplete reason="uninitialised value decides"
// tine-test: fn=indexed verdict=incomplete reason="uninitialised value decides"
// tine-test: fn=stored verdict=incomplete reason="uninitialised value decides"
// tine-test: fn=in_loop verdict=incomplete reason="uninitialised value decides"
// A variable that is not written on some path decides there: no verdict may be complete.

int branch(int a) {
    int x;
    if (a > 10)
        x = 1;
    if (x == 1)
        return a;
    return 0;
}

static int maybe(int a) {
    int x;
    if (a > 10)
        x = 1;
    return x;
}

int returned(int a) {
    if (maybe(a) == 1)
        return 1;
    return 0;
}

int switched(int a) {
    int x;
    if (a == 3)
        x = 2;
    switch (x + 1) {
    case 1: return 5;
    case 3: return 6;
    default: return 7;
    }
}

int indexed(unsigned char a) {
    static const int table[4] = {1, 2, 3, 4};
    unsigned i;
    if (a > 10)
        i = a & 3;
    return table[i & 3];
}

int memory;

int stored(int a) {
    int x;
    if (a > 10)
        x = 1;
    memory = x;
    if (memory)
        return 1;
    return 2;
}

int in_loop(int a) {
    int last, n = 0;
    for (int i = 0; i < 4; i++) {
        if (a == i)
            last = i;
        if (last > 1)
            n++;
    }
    return n;
}
