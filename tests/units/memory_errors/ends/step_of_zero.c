// tine-test: fn=pair
// CWE-835: a record of length zero makes no progress.
static int records(const unsigned char *p, int n, int check) {
    int count = 0;
    for (int at = 0; at < n; at += p[at]) { //~ ERROR endless loop
        if (check && p[at] == 0)
            return -1;
        count ^= 1;
    }
    return count;
}

int bad(unsigned char x) {
    unsigned char data[4] = {2, 1, x & 3, 1};
    return records(data, 4, 0);
}

int good(unsigned char x) {
    unsigned char data[4] = {2, 1, x & 3, 1};
    return records(data, 4, 1);
}

int pair(int faulty, unsigned char x) { return faulty ? bad(x) : good(x); }
