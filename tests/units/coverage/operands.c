// tine-test: fn=operands branches=40
// Every operand of && and || has two sides, wherever the operator stands.
static int twice(int x) {
    return 2 * x;
}

int operands(int a, int b, int c, int d) {
    int value = a == 1 && b == 2;                       //~ COVERED
    value += twice(a == 3 || b == 4);                   //~ COVERED
    if (!(c == 5 && d == 6))                            //~ COVERED
        value++;
    value += c == 7 && (d == 8 || d == 9);              //~ COVERED
    value += !(d > 10 && d < 12) ? 3 : 4;               //~ COVERED
    while (value == 99 || d == 77)                      //~ COVERED but 1: it never is 99
        d = 0;
    if (__builtin_expect(!!(a == 13 && b == 14), 1))    //~ COVERED
        return 1;
    return a > 15 ? b == 16 && c == 17 : b == 18 || c == 19;    //~ COVERED
}
