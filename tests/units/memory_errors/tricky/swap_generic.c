// tine-test: fn=f
// A generic swap through a temporary of variable length, of structures with padding.
#include <string.h>

struct s {
    char c;
    int i;
};

static void swap(void *a, void *b, size_t n) {
    unsigned char t[n];
    memcpy(t, a, n);
    memcpy(a, b, n);
    memcpy(b, t, n);
}

int f(int k) {
    struct s x = {'x', 0}, y;
    y.c = 'y';
    y.i = k;
    swap(&x, &y, sizeof x);
    if (x.i == 23 && y.c == 'x')
        return 1;
    return 0;
}
