// tine-test: fn=all check=+narrowing
// Implicit conversions that change the value; a cast says that the change is meant.
static unsigned char keep(int value) {
    if (value < 0)
        return 0;
    unsigned char small = value; //~ ERROR value changed by a conversion
    return small;
}

static unsigned sign(int value) {
    if (value > -5 && value < 0)
        return value; //~ ERROR value changed by a conversion
    return 1;
}

static unsigned char explicit_cast(int value) { return (unsigned char)value; }

static short fits(int value) {
    if (value < -32768 || value > 32767)
        return 0;
    short small = value;
    return small;
}

long all(int which, int value) {
    switch (which) {
    case 0:
        return keep(value);
    case 1:
        return sign(value);
    case 2:
        return explicit_cast(value);
    default:
        return fits(value);
    }
}
