// tine-test: fn=wild exit=1
// An address that is aligned and not NULL, but nothing is there.
int wild(int x) {
    int *p = (int *)0x10000;
    if (x == 2024)                          //~ COVERED
        return *p;                          //~ ERROR invalid memory access
    return 0;
}
