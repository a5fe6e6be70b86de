// tine-test: fn=pair check=+leak
// CWE-401: the only pointer to a block gets another value.
#include <stdlib.h>

struct holder {
    int *data;
};

static void set(struct holder *h, int k, int frees) {
    if (k == 9 && frees)
        free(h->data);
    if (k == 9)
        h->data = NULL;
}

static int both(int frees, int k) {
    struct holder h = {malloc(4 * sizeof(int))}; //~ ERROR memory leak
    if (!h.data)
        return -1;
    h.data[0] = k;
    set(&h, k, frees);
    free(h.data);
    return 0;
}

int pair(int faulty, int k) { return both(!faulty, k); }
