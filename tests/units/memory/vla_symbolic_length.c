// tine-test: fn=vla_symbolic_length verdict=incomplete reason="length depends on the input"
// A length that is an input stays at its value.
int vla_symbolic_length(unsigned n) {
    if (n < 1u || n > 8u)           //~ COVERED
        return 0;
    char v[n];
    v[0] = 'x';
    return v[0];
}
