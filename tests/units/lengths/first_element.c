// tine-test: fn=largest verdict=bounded reason="--max-elements" unnoticed
// The function reads an element whatever the length is.
int largest(const int *values, unsigned n) {
    int most = values[0]; //~ REQUIRES values != NULL //~ REQUIRES n >= 1
    for (unsigned i = 1; i < n; i++) {
        if (values[i] > most)
            most = values[i];
    }
    return most;
}
