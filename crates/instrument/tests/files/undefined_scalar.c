// A variable that is read before it is written on one path: the read is marked.
int f(int x) {
    int y;
    if (x)
        y = 1;
    return y ? 2 : 3;
}
