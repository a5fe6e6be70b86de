// tine-test: fn=pair
// CWE-415: two members own the same block.
#include <stdlib.h>

struct both {
    char *first, *second;
};

static void drop(struct both *b) {
    free(b->first);
    free(b->second); //~ ERROR double free
}

int bad(int k) {
    struct both b = {malloc(4), 0};
    b.second = k == 13 ? b.first : malloc(4);
    drop(&b);
    return 0;
}

int good(int k) {
    struct both b = {malloc(4), 0};
    b.second = k == 13 ? NULL : malloc(4);
    drop(&b);
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
