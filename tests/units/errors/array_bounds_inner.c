// tine-test: fn=inner exit=1
// Each dimension has its own bound, and so has an array in a structure.
struct grid {
    short cell[3][5];
    int end;
};

int inner(int x) {
    struct grid g = {{{0}}, 9};
    int row = 1, column = 1;
    if (x == 31)                            //~ COVERED
        row = 3;
    if (x == 41)                            //~ COVERED
        column = 5;
    if (row == 3)                           //~ COVERED
        return g.cell[row][column];         //~ ERROR array index out of bounds
    return g.cell[row][column] + g.end;     //~ ERROR array index out of bounds
}
