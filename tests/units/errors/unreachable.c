// tine-test: fn=never exit=1
// A promise to the compiler that does not hold.
int never(unsigned x) {
    switch (x % 4u) {                       //~ COVERED
    case 0:
        return 10;
    case 1:
        return 11;
    case 2:
        return 12;
    }
    __builtin_unreachable();                //~ ERROR unreachable code reached
}
