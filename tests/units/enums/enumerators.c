// tine-test: fn=area verdict=bounded reason=--any-enum
// A parameter has the values of its enumeration only.
enum shape { CIRCLE, SQUARE, TRIANGLE = 7 };
int area(enum shape s) {
    switch (s) {
    case CIRCLE:
        return 1;
    case SQUARE:
        return 2;
    case TRIANGLE:
        return 10 / (s - 7); //~ ERROR division by zero
    }
    return 10 / (s == TRIANGLE);
}
