// tine-test: fn=if_else paths=4
// Both sides of each branch, and every combination.
int if_else(int x, int y) {
    int result = 0;
    if (x > 10)                 //~ COVERED
        result += 1;
    else
        result += 2;
    if (y > 10)                 //~ COVERED
        result += 4;
    else
        result += 8;
    return result;
}
