// tine-test: fn=length
// An assertion states that a pointer is not NULL: a requirement, in the function itself and in one that it calls.
#include <assert.h>
struct text {
    const int *first;
    int n;
};
static int inner(const struct text *t) {
    assert(t->first);           //~ REQUIRES t->first != NULL
    return *t->first & 1;
}
int length(const struct text *t) {
    assert(t != 0);             //~ REQUIRES t != NULL
    return inner(t);
}
