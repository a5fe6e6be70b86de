// tine-test: fn=lookup
// An index that is the input itself: the bad ones are found, and all the good ones are one path.
int lookup(int x) {
    int table[10] = {1, 2, 3};
    return table[x];                        //~ ERROR array index out of bounds
}
