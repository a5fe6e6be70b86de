// tine-test: fn=loops
// Conditions of loops.
int loops(unsigned char a, unsigned char b) {
    int n = 0;
    while (!(a > 3 || b > 3) && n < 5)
        a++, n += 2;
    do
        b /= 2;
    while (b > 90 || (b > 20 && a == 4));
    for (int i = 0, j = 3; i < j && (a != i || b != j); i++, j -= a == 9 ? 2 : 1) {   //~ GCOV choice
        if (i == b)
            break;
        if (j == a && !(n & 1))
            continue;
        n++;
    }
    while ((n = n > 7 ? n - 3 : 0))
        ;
    return n;
}
