// tine-test: fn=step exit=1
// A step that leaves the end of the address space.
int step(int x) {
    char *p = (char *)0xfffffffffffff000UL;
    unsigned long n = 16;
    if (x == 99)                            //~ COVERED
        n = 0x2000;
    char *q = p + n;                        //~ ERROR pointer overflow
    return q != p;
}
