// tine-test: fn=pair verdict=incomplete reason="float out of the integer's range"
// CWE-681: a number of another format does not fit.
int bad(float f) { return f > 0 ? (int)f : 0; } //~ ERROR float out of the integer's range
int good(float f) { return f > 0 && f < 2147483648.0f ? (int)f : 0; }
int pair(int faulty, float f) { return faulty ? bad(f) : good(f); }
