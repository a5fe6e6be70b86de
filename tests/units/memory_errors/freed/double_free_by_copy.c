// tine-test: fn=pair
// CWE-415: a shallow copy of a structure is destroyed as well. The twin assigns the structure to itself.
#include <stdlib.h>

struct text {
    char *data;
};

static void destroy(struct text *t) {
    free(t->data); //~ ERROR double free
    t->data = NULL;
}

int bad(int k) {
    struct text a = {malloc(3)}, b = {NULL};
    if (k == 80)
        b = a;
    destroy(&a);
    destroy(&b);
    return 0;
}

int good(int k) {
    struct text a = {malloc(3)}, *same = &a;
    if (k == 80)
        *same = a;
    destroy(&a);
    destroy(same);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
