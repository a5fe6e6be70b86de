// tine-test: fn=f unnoticed
// Which object is freed is a decision where the pointer depends on inputs.
#include <stdlib.h>
static int table(unsigned s) {
    char *q[3] = {malloc(8), malloc(8), malloc(8)};
    if (s > 2)
        return 0;
    free(q[s]);
    free(q[1]); //~ ERROR double free
    return 0;
}
static int inside(unsigned s) {
    char *p = malloc(64);
    if (s > 2)
        return 0;
    free(p + s); //~ ERROR invalid free
    return 0;
}
static int order(unsigned s) {
    char *q[3] = {malloc(4), malloc(4), malloc(4)};
    if (s > 2)
        return 0;
    free(q[1]);
    free(q[s]); //~ ERROR double free
    return 0;
}
static int local(unsigned s) {
    char b[8], *q[2] = {malloc(8), b};
    free(q[s & 1]); //~ ERROR invalid free
    return 0;
}
static int grown(unsigned s) {
    char *p = malloc(64);
    if (s > 2)
        return 0;
    p = realloc(p + s, 128); //~ ERROR invalid free
    free(p);
    return 0;
}
static int right(unsigned s) {
    char *q[3] = {malloc(4), NULL, malloc(4)}, *p = malloc(16);
    if (s > 2)
        return 0;
    char *moved = p + s;
    free(q[s]);
    free(moved - s);
    return 0;
}
int f(unsigned which, unsigned s) {
    switch (which) {
    case 0:
        return table(s);
    case 1:
        return inside(s);
    case 2:
        return order(s);
    case 3:
        return local(s);
    case 4:
        return grown(s);
    case 5:
        return right(s);
    }
    return 0;
}
