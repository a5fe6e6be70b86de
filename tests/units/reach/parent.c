// tine-test: fn=scope_depth
// A constructor with a parent of the same type: the calls make the outermost object.
#include <stdlib.h>
struct scope {
    struct scope *parent;
    int *depth;
};
struct scope *scope_new(struct scope *parent) {
    struct scope *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->parent = parent;
    s->depth = malloc(sizeof *s->depth);
    if (!s->depth) {
        free(s);
        return NULL;
    }
    *s->depth = parent ? 1 : 0;
    return s;
}
int scope_depth(const struct scope *s, int by) {
    return by / (*s->depth + 1); //~ REQUIRES s != NULL //~ NOT SHOWN REACHABLE
}
