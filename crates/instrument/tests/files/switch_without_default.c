// Values without a case take the side of the missing default.
int f(int x) {
    int r = 0;
    switch (x) {
    case 1:
        r = 1;
    }
    return r;
}
