// tine-test: fn=switches
// Kinds of switches: ranges, shared cases, no default, one in another, into a loop.
static int kind(unsigned code) {
    switch (code) {
    case 0 ... 9:
        return 1;
    case 100 ... 199:
        return 2;
    case 300 ... 599:
    case 1000:
        return 3;
    case 2000 ... 70000:
        break;
    default:
        return 4;
    }
    return 5;
}

static int copies(int n) {
    int done = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            done++;
    case 3:
            done++;
    case 2:
            done++;
    case 1:
            done++;
        } while (--rounds > 0);
    }
    return done;
}

int switches(unsigned code, unsigned char n) {
    int sum = kind(code);
    switch (sum)
    case 3: {
        switch (n) {
        case 'a':
        case 'b':
            return 0;
        case 'c':
            sum++;
        }
    }
    if (sum == 4 && n > 0 && n < 10)
        sum += copies(n);
    return sum;
}
