// tine-test: fn=classify
// A triangle classifier. Three numbers are the sides of a triangle when each is positive and shorter than the
// other two together. The classic mistake is in it: the sum of two sides is computed as an int.
//
// tine explores it completely: every class is reached, and the sums that overflow are reported.
enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };

enum kind classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0)     //~ COVERED
        return NONE;
    if (a + b <= c)                     //~ COVERED //~ ERROR signed integer overflow
        return NONE;
    if (b + c <= a)                     //~ COVERED //~ ERROR signed integer overflow
        return NONE;
    if (c + a <= b)                     //~ COVERED //~ ERROR signed integer overflow
        return NONE;
    if (a == b && b == c)               //~ COVERED
        return EQUILATERAL;
    if (a == b || b == c || c == a)     //~ COVERED
        return ISOSCELES;
    return SCALENE;
}
