// tine-test: fn=all
// Values that are not written but decide nothing do not make the verdict incomplete.

static int correlated(int a) {
    int x;
    if (a > 10)
        x = a;
    if (a > 10)                             //~ COVERED
        if (x == 11)                        //~ COVERED
            return 1;
    return 0;
}

struct pair { char first; int second; };

static int first_of(struct pair p) { return p.first; }

static int copied(char a) {
    struct pair p;
    p.first = a;
    struct pair q = p;
    if (q.first == 3)                       //~ COVERED
        return 1;
    if (first_of(q) == 4)                   //~ COVERED
        return 2;
    return 3;
}

static int ignores(int used, int unused) { return used + (unused & 0); }

static int passed(int a) {
    int x;
    if (a > 10)
        x = 1;
    if (ignores(a, x) == 5)                 //~ COVERED
        return 1;
    return 0;
}

static int masked(unsigned char a) {
    unsigned flags;
    if (a > 10)
        flags = a;
    flags &= ~0xffu;
    flags &= 0xff;
    if (flags)                              //~ COVERED but 1: always 0
        return 1;
    return 0;
}

static int no_value(unsigned *p) {
    if (*p == 7)                            //~ COVERED
        return 1;
    ++*p;
}

static int no_result(unsigned a) {
    no_value(&a);
    if (a == 9)                             //~ COVERED
        return 1;
    return 0;
}

static int found(unsigned char key) {
    static const unsigned char keys[] = {3, 5, 9};
    int at, is_there = 0;
    for (int i = 0; i < 3; i++)
        if (keys[i] == key) {               //~ COVERED
            at = i;
            is_there = 1;
        }
    if (is_there && at == 2)                //~ COVERED
        return 1;
    return 0;
}

static int itself(int a) {
    int x = x;
    if (a == 3)                             //~ COVERED
        x = 1;
    return x;
}

int all(unsigned char which, int a) {
    switch (which) {
    case 0: return correlated(a);
    case 1: return copied((char)a);
    case 2: return passed(a);
    case 3: return masked((unsigned char)a);
    case 4: return no_result((unsigned)a);
    case 5: return found((unsigned char)a);
    default: return itself(a);
    }
}
