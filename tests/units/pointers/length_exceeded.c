// tine-test: fn=beyond len="a=n b=m" max-elements=3 verdict=bounded reason="--max-elements" input="n = 1" unnoticed
// A length holds unless another pointer with a length leads to the same object.
int beyond(int *a, unsigned n, int *b, unsigned m) {
    if (!a || !b || n != 1 || m != 1)
        return 0;
    return a[1] == b[0]; //~ ERROR array index out of bounds
}
