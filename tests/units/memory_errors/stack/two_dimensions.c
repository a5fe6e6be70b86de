// tine-test: fn=pair
// CWE-121: a column past the row is another row, past the last row it is outside. The twin walks all rows as one.
int bad(int r, int c) {
    int grid[2][3] = {{0}};
    if (r < 0 || r > 1 || c < 0 || c > 2)
        return 0;
    grid[c][r] = 1; //~ ERROR array index out of bounds
    return 0;
}

int good(int i) {
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const unsigned char *bytes = (const unsigned char *)grid;
    int s = 0;
    if (i >= 0 && i < (int)sizeof grid)
        s = bytes[i];
    for (int (*row)[3] = grid; row != grid + 2; row++)
        s += (*row)[2];
    return s;
}

int pair(int faulty, int r, int c) { return faulty ? bad(r, c) : good(r); }
