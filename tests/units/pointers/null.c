// tine-test: fn=get strict input="p = NULL"
// A pointer that is used unchecked may be NULL.
int get(const int *p) {
    return *p;                  //~ ERROR null pointer dereference
}
