// tine-test: fn=shift_out exit=1
// Shifting a bit into or past the sign of a signed value; one place, one entry.
int shift_out(int x) {
    int y = x << 4;                         //~ ERROR invalid shift
    return y >> 4;
}
