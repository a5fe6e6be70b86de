// tine-test: fn=last verdict=bounded reason="--max-elements" unnoticed
// The function checks the length, and not well enough.
int last(const short *values, unsigned long n) {
    if (n < 1)
        return 0;
    unsigned k = 0;
    for (unsigned long i = 0; i < n; i++)
        k ^= (unsigned short)values[i]; //~ REQUIRES values != NULL
    return values[1] ^ (int)k; //~ ERROR array index out of bounds
}
