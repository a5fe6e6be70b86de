// tine-test: fn=run spec=libc/malloc
// The specification of memory that ships with tine: correct uses of every function, and a block that is released twice.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
    struct list *next;
};

int run(int how, struct list *given) {
    char *p = malloc(10), *q = strdup("a"), *r = 0;
    void *aligned = 0;
    if (!p || !q)
        return free(p), free(q), 1;
    char *moved = realloc(p, 100);
    free(moved ? moved : p);
    if (asprintf(&r, "%d", how) >= 0)
        free(r);
    if (posix_memalign(&aligned, 64, 64) == 0)
        free(aligned);
    free(calloc(1, 2));
    if (given)
        free(given); // allocated before
    if (how == 1)
        free(q);
    if (how == 2 && given)
        free(given); //~ ERROR specification violated
    free(q); //~ ERROR specification violated
    return 0;
}
