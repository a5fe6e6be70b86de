// tine-test: fn=vla_symbolic_length paths=10
// Every length of an array on the stack is a path of its own.
int vla_symbolic_length(unsigned n) {
    if (n < 1u || n > 8u)           //~ COVERED
        return 0;
    char v[n];
    v[0] = 'x';
    return v[0];
}
