// tine-test: fn=class
// Branches that the compiler knows never to run are none to cover.
extern int slow_is_digit(int);
#define IS_DIGIT(c) (0 ? slow_is_digit(c) : (unsigned)(c) - '0' < 10)

int class(int c) {
    int n = 0;
    if (IS_DIGIT(c)) //~ COVERED
        n = 1;
    switch (sizeof c) { //~ COVERED
    case 2:
        if (c == 9) //~ COVERED
            n = 2;
        break;
    case 4:
        if (c == 'x') //~ COVERED
            n = 3;
    }
    return n;
}
