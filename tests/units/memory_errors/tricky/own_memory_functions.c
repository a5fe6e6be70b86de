// tine-test: fn=f
// Hand-written copies by words, and a comparison of the part that was set.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void copy_words(void *to, const void *from, size_t n) {
    uint64_t *a = to;
    const uint64_t *b = from;
    for (size_t i = 0; i < n / 8; i++)
        a[i] = b[i];
}

int f(int k) {
    struct {
        int a;
        char b;
        long c;
    } s, *t = malloc(sizeof *t);
    if (!t)
        return -1;
    s.a = k;
    s.b = 'b';
    s.c = 3;
    copy_words(t, &s, sizeof s);
    uint64_t before, after;
    memcpy(&before, &s, 8);
    memcpy(&after, t, 8);
    uint64_t mixed = before ^ after; /* undefined bits, which nothing asks for */
    (void)mixed;
    int r = memcmp(&s.a, &t->a, sizeof s.a) == 0 && t->a == 19 && t->b == 'b';
    free(t);
    return r;
}
