// tine-test: fn=divide exit=1
// Both ways a signed division can go wrong, at one place.
int divide(int a, int b) {
    return a / b;                           //~ ERROR division by zero //~ ERROR division overflow
}
