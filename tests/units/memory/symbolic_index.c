// tine-test: fn=symbolic_index paths=2
// Which element it is that has a value is for the solver to say.
int symbolic_index(unsigned x) {
    static const int squares[4] = {0, 1, 4, 9};
    if (squares[x & 3u] == 9)       //~ COVERED
        return 1;
    if (squares[x & 3u] == 5)       //~ COVERED but 1: no square
        return 2;                   //~ UNREACHABLE
    return 0;
}
