// tine-test: fn=f
// A stack of strings in chunks; memory is given back down to a mark and handed out again.
#include <stdlib.h>
#include <string.h>

struct chunk {
    struct chunk *below;
    size_t used;
    char data[40];
};

static char *put(struct chunk **top, const char *s) {
    size_t n = strlen(s) + 1;
    if (!*top || (*top)->used + n > sizeof(*top)->data) {
        struct chunk *c = malloc(sizeof *c);
        if (!c)
            return NULL;
        c->below = *top;
        c->used = 0;
        *top = c;
    }
    char *to = (*top)->data + (*top)->used;
    memcpy(to, s, n);
    (*top)->used += n;
    return to;
}

int f(int k) {
    struct chunk *top = NULL;
    char *last = NULL;
    for (int i = 0; i < 6; i++)
        last = put(&top, i == k ? "needle" : "haystack");
    int r = last && last[0] == 'n';
    while (top) {
        struct chunk *below = top->below;
        free(top);
        top = below;
    }
    return r;
}
