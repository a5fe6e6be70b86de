// tine-test: fn=heap_realloc paths=2 verdict=bounded
// Values move along when a block grows.
#include <stdlib.h>
#include <tine.h>

int heap_realloc(int x) {
    int *p = malloc(sizeof *p);
    if (!p)
        exit(0);
    *p = x;
    int *between = malloc(64);              // so that it cannot grow in place
    int *q = realloc(p, 100000);
    if (!q)
        exit(0);
    tine_assert(q[0] != 4711);              //~ ERROR assertion failure
    free(q);
    free(between);
    return 0;
}
