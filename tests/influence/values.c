/* Data flow through local values, and control. */
int f(int a, int b, int c) {
    int r = 0;
    if (a > 3)          //~ DECIDES
        r = b + 1;      //~ TARGET
    if (r == 7)         //~ INFLUENCED
        r++;
    if (c)              //~ UNRELATED
        c--;
    int s = 0;
    while (s < r)       //~ INFLUENCED
        s++;
    if (s)              //~ INFLUENCED
        return 1;
    return b == c;
}
