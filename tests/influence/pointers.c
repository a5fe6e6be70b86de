/* Functions that are called through pointers. */
static int twice(int x) {
    return 2 * x;                   //~ TARGET
}
static int minus(int x) { return -x; }
static int (*const table[2])(int) = {twice, minus};
int f(unsigned which, int x, int z) {
    int y = 0;
    if (which < 2)                  //~ DECIDES
        y = table[which](x);
    if (y == 14)                    //~ INFLUENCED
        return 1;
    if (z == 2)                     //~ INFLUENCED
        return 2;
    return 0;
}
