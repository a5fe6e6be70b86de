// A computed goto becomes a jump to one of the numbered labels.
int f(int x) {
    static void *const to[] = {&&one, &&two};
    goto *to[x & 1];
one:
    return 1;
two:
    return 2;
}
