// tine-test: fn=scopes verdict=bounded
// Scopes that are left in several ways, with arrays of variable length and cleanups.
static int closed;

static void closes(int *file) {
    if (*file > 3)
        closed++;
}

static int rows(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        int row[i + 1];
        row[i] = i;
        if (i == 2)
            continue;
        if (n == 4)
            break;
        sum += row[i] || i;
    }
    return sum;
}

int scopes(int n) {
    if (n > 0 && n < 6) {
        int list[n];
        list[n - 1] = rows(n);
        if (n % 2)
            return list[n - 1];
    }
    __attribute__((cleanup(closes))) int file = n;
    if (n == 7)
        return closed;
    {
        __attribute__((cleanup(closes))) int other = n;   //~ GCOV generated
        if (n == 8)
            goto out;
    }
    closed--;
out:
    return closed ? -1 : 1;   //~ GCOV choice
}
