// tine-test: fn=kind_of verdict=bounded reason=--any-enum
// A member of an enumeration without 0 starts with an enumerator.
enum kind { NUMBER = 1, TEXT, LIST };
struct value {
    enum kind kind;
    int n;
};
int kind_of(const struct value *v) {
    if (!v)
        return -1;
    switch (v->kind) {
    case NUMBER:
        return 0;
    case TEXT:
        return 1;
    case LIST:
        return 1 / (v->n != 3); //~ ERROR division by zero
    }
    return 1 / (v->kind == LIST);
}
