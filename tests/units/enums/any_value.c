// tine-test: fn=area any-enum
// With --any-enum all values are tried.
enum shape { CIRCLE, SQUARE };
int area(enum shape s) {
    switch (s) {
    case CIRCLE:
        return 1;
    case SQUARE:
        return 2;
    }
    return 10 / (s == SQUARE); //~ ERROR division by zero
}
