// tine-test: fn=lookup exit=1
// An index that the path made too large.
int lookup(int x) {
    static const int table[4] = {1, 2, 3, 4};
    int index = 0;
    if (x == 77)                            //~ COVERED
        index = 4;
    return table[index];                    //~ ERROR array index out of bounds
}
