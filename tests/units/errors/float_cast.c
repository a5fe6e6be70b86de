// tine-test: fn=float_cast verdict=incomplete reason="float out of the integer's range" exit=1
// A float that no int can hold. What the machine makes of it is followed for that value only.
int float_cast(float f) {
    return (int)f;                          //~ ERROR float out of the integer's range
}
