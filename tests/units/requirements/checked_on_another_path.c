// tine-test: fn=half
// A parameter that is checked on one path and used unchecked on another.
int half(const int *p, int careful) {
    if (careful) {
        if (p)
            return *p;
        return 0;
    }
    return *p; //~ ERROR null pointer dereference
}
