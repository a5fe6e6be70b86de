// tine-test: fn=first
// Structures that have a name only by `typedef`, and members of anonymous unions.
typedef struct {
    int kind;
    union {
        const int *numbers;
        const char *text;
    };
    const int *rest;
} value;
int has_rest(const value *v) {
    return v->rest ? 1 : 0;
}
int first(const value *v) {
    if (v->kind == 1)              //~ REQUIRES v != NULL
        return v->numbers[0] & 1;  //~ REQUIRES v->numbers != NULL
    return v->rest[0] & 1;         //~ ERROR null pointer dereference
}
