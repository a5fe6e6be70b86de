// tine-test: fn=vectors verdict=incomplete
// Vector types are computed by the machine alone.
typedef int four __attribute__((vector_size(16)));

int vectors(int x) {
    four v = {x, 1, 2, 3};
    v = v + v;
    if (x > 50)                             //~ COVERED
        return 1;
    return v[1] == 2 ? 0 : -1;
}
