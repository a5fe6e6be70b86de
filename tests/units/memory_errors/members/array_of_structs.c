// tine-test: fn=pair
// CWE-129: an array of structures that contain arrays.
struct row {
    int cells[2];
    char tag;
};

static struct row rows[3];

int bad(unsigned r, unsigned c) {
    if (r > 3 || c > 1)
        return 0;
    rows[r].cells[c] = 1; //~ ERROR array index out of bounds
    return rows[0].tag;
}

int good(unsigned r, unsigned c) {
    if (r > 2 || c > 1)
        return 0;
    rows[r].cells[c] = 1;
    const struct row *end = rows + 3;
    return end[-1].tag;
}

int pair(int faulty, unsigned r, unsigned c) { return faulty ? bad(r, c) : good(r, c); }
