// tine-test: fn=pair
// CWE-761: an allocator that keeps the size in front of what it gives; only it may free it.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct header {
    size_t size;
    max_align_t start[];
};

static void *get(size_t n) {
    struct header *h = malloc(sizeof *h + n);
    h->size = n;
    return h->start;
}

static size_t size_of(void *p) { return ((struct header *)((char *)p - offsetof(struct header, start)))->size; }
static void put(void *p) { free((char *)p - offsetof(struct header, start)); }

int bad(int k) {
    char *p = get(6);
    memset(p, 0, size_of(p));
    if (k == 5)
        free(p); //~ ERROR invalid free
    else
        put(p);
    return 0;
}

int good(int k) {
    char *p = get(k == 5 ? 0 : 6);
    memset(p, 0, size_of(p));
    put(p);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
