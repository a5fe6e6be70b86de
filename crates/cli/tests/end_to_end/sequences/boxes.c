// Elements of any type through `void *`, and a union: the state is the contents of memory, whatever its type.
#include <assert.h>
#include <stdlib.h>

union value {
    long number;
    void *box;
};

struct cell {
    int is_box;
    union value value;
};

struct pair {
    struct cell cells[2];
    int n;
};

struct pair *pair_new(void) { return calloc(1, sizeof(struct pair)); }

void put(struct pair *p, int number) {
    if (p->n < 2)
        p->cells[p->n++] = (struct cell){0, {.number = number}};
}

void put_box(struct pair *p, int number) {
    if (p->n == 2)
        return;
    int *box = malloc(sizeof *box);
    *box = number;
    p->cells[p->n++] = (struct cell){1, {.box = box}};
}

void take(struct pair *p) {
    if (p->n > 0 && p->cells[--p->n].is_box)
        free(p->cells[p->n].value.box);
}

int sum(const struct pair *p) {
    long sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += p->cells[i].is_box ? *(int *)p->cells[i].value.box : p->cells[i].value.number;
    assert(sum != 1234567 || p->cells[0].is_box == p->cells[1].is_box);
    return sum > 0;
}
