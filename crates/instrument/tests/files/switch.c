// A switch has a side for each successor, and one for the default.
int f(int x) {
    switch (x) {
    case 1:
    case 2:
        return 10;
    case -5:
        return 20;
    default:
        return 0;
    }
}
