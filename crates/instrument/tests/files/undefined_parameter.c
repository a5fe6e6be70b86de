// A variable that is always written has no mark.
int f(int x) {
    int y;
    y = x;
    return y ? 2 : 3;
}
