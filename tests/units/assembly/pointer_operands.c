// tine-test: fn=moves verdict=incomplete reason="assembly"
// tine-test: fn=follows verdict=incomplete reason="assembly"
// tine-test: fn=as_number verdict=incomplete reason="assembly"
// With a `memory` clobber, assembly may access what its pointers point to.

int moves(int x) {
    int y = 0;
    void *from = &x, *to = &y;
    long n = sizeof x;
    __asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(n) : : "memory");
    if (y == 4711)
        return 1;
    return 0;
}

int follows(int x) {
    int y, *p = &x;
    __asm__ volatile("movl (%1), %0" : "=r"(y) : "r"(p) : "memory");
    if (y == 4711)
        return 1;
    return 0;
}

int as_number(int x) {
    int y;
    __asm__ volatile("movl (%1), %0" : "=r"(y) : "r"((unsigned long)&x) : "memory");
    if (y == 4711)
        return 1;
    return 0;
}
