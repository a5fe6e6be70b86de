// tine-test: fn=check verdict=bounded reason=--any-enum
// Enumerators that are powers of two are flags: members have all combinations, and nothing else.
enum flags { NONE, BOLD = 1, ITALIC = 2, STRUCK = 4 };
struct style {
    int size;
    enum flags flags;
};
int check(const struct style *s) {
    if (!s)
        return 0;
    if (s->flags == (BOLD | STRUCK))
        return 1 / (s->size != 5); //~ ERROR division by zero
    if (s->flags & ~7)
        return 1 / (s->size != 6);
    return 0;
}
