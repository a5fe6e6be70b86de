// A hash table with open addressing: a removed key leaves an empty slot, so a key that was stored further on is
// not found any more. It takes three calls in the right order.
#include <assert.h>

enum { SIZE = 2 };

struct table {
    int used[SIZE];
    int keys[SIZE];
};

void init(struct table *t) {
    for (int i = 0; i < SIZE; i++)
        t->used[i] = 0;
}

static int place(int key) {
    if (key & 1)
        return 1;
    return 0;
}

int find(const struct table *t, int key) {
    for (int k = 0, i = place(key); k < SIZE && t->used[i]; k++, i = (i + 1) % SIZE)
        if (t->keys[i] == key)
            return i;
    return -1;
}

void add(struct table *t, int key) {
    if (find(t, key) >= 0)
        return;
    for (int k = 0, i = place(key); k < SIZE; k++, i = (i + 1) % SIZE)
        if (!t->used[i]) {
            t->used[i] = 1;
            t->keys[i] = key;
            return;
        }
}

void del(struct table *t, int key) {
    int i = find(t, key);
    if (i >= 0)
        t->used[i] = 0;
}

/* Each stored key can be found. */
int ok(const struct table *t) {
    for (int i = 0; i < SIZE; i++)
        if (t->used[i] && find(t, t->keys[i]) != i)
            return 0;
    return 1;
}
