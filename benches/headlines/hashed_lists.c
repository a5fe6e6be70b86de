/* Unsorted lists in a table, in the style of SGLIB's: an element that is added twice makes its list come round. */
#include <stddef.h>

#define N_LISTS 10

struct element {
    int value;
    struct element *next;
};

struct table {
    struct element *lists[N_LISTS];
};

static struct element **list_of(struct table *table, const struct element *element) {
    return &table->lists[(unsigned)element->value % N_LISTS];
}

void init(struct table *table) {
    for (int k = 0; k < N_LISTS; k++)
        table->lists[k] = NULL;
}

void add(struct table *table, struct element *element) {
    if (!element)
        return;
    struct element **list = list_of(table, element);
    element->next = *list;
    *list = element;
}

void add_if_absent(struct table *table, struct element *element) {
    if (!element)
        return;
    for (struct element *known = *list_of(table, element); known; known = known->next)
        if (known->value == element->value)
            return;
    add(table, element);
}

int is_member(struct table *table, struct element *element) {
    if (!element)
        return 0;
    for (struct element *known = *list_of(table, element); known; known = known->next)
        if (known == element)
            return 1;
    return 0;
}
