// tine-test: fn=length max-string=3 paths=5 verdict=bounded reason=--max-string
// Strings end: one of each length up to the bound.
int length(const char *s) {
    int n = 0;
    if (!s)             //~ COVERED
        return -1;
    while (s[n])        //~ COVERED
        n++;
    return n;
}
