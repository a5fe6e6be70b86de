// tine-test: fn=f
// qsort and bsearch move structures with padding.
#include <stdlib.h>

struct entry {
    char key;
    long value;
};

static int by_key(const void *a, const void *b) {
    return ((const struct entry *)a)->key - ((const struct entry *)b)->key;
}

int f(char k) {
    struct entry e[4];
    for (int i = 0; i < 4; i++) {
        e[i].key = (char)(3 - i);
        e[i].value = i;
    }
    qsort(e, 4, sizeof e[0], by_key);
    struct entry key;
    key.key = k;
    struct entry *found = bsearch(&key, e, 4, sizeof e[0], by_key);
    if (found && found->value == 1)
        return 1;
    return found != NULL;
}
