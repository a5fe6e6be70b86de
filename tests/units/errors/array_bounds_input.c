// tine-test: fn=lookup verdict=incomplete reason="address depends on the input" exit=1
// An index that is the input itself: the bad ones are found even though the good ones stay at one value.
int lookup(int x) {
    int table[10] = {1, 2, 3};
    return table[x];                        //~ ERROR array index out of bounds
}
