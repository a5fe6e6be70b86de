// tine-test: fn=get strict
int get(const int *p) {
    return *p; //~ ERROR null pointer dereference
}
