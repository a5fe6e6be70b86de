// tine-test: fn=total verdict=bounded reason=--any-enum
// The tag says which member of the union is used. Without other tags the end is not reached.
enum kind { INT, STR, LIST };
struct list {
    unsigned n;
    struct val *items;
};
struct val {
    enum kind kind;
    union {
        int i;
        const char *s;
        struct list *l;
    } u;
};
int total(const struct val *v) {
    if (!v)
        return 0;
    switch (v->kind) {
    case INT:
        return 1;
    case STR:
        return v->u.s ? v->u.s[0] : 0;
    case LIST:
        return v->u.l && v->u.l->n < 3;
    }
    __builtin_unreachable();
}
