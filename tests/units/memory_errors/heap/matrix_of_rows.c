// tine-test: fn=pair
// CWE-122: rows and columns are exchanged in an array of rows.
#include <stdlib.h>

static int **make(unsigned rows, unsigned columns) {
    int **m = malloc(rows * sizeof *m);
    for (unsigned r = 0; r < rows; r++)
        m[r] = calloc(columns, sizeof **m);
    return m;
}

static void drop(int **m, unsigned rows) {
    for (unsigned r = 0; r < rows; r++)
        free(m[r]);
    free(m);
}

int bad(unsigned r, unsigned c) {
    int **m = make(2, 3);
    int x = 0;
    if (r < 2 && c < 3 && c >= 2)
        x = m[c][r]; //~ ERROR out-of-bounds read
    drop(m, 2);
    return x;
}

int good(unsigned r, unsigned c) {
    int **m = make(2, 3);
    int x = 0;
    if (r < 2 && c < 3)
        x = m[r][c];
    drop(m, 2);
    return x;
}

int pair(int faulty, unsigned r, unsigned c) { return faulty ? bad(r, c) : good(r, c); }
