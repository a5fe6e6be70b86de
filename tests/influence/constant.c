/* A constant that becomes part of other code. */
int f(int a, int b) {
    int limit = 12;     //~ TARGET
    int other = 12;
    if (a < other)      //~ UNRELATED
        b++;
    if (a < limit)      //~ INFLUENCED
        b--;
    if (b == 4)         //~ INFLUENCED
        return 1;
    return 0;
}
