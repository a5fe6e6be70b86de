/* Sorted-by-nothing lists in a table, in the style of SGLIB's: an element that is added twice makes its list come round. */
#include <stddef.h>

#define N_LISTS 10

struct element {
    int value;
    struct element *next;
};

static struct element *table[N_LISTS];

static unsigned list_of(const struct element *element) { return (unsigned)element->value % N_LISTS; }

void init(void) {
    for (int k = 0; k < N_LISTS; k++)
        table[k] = NULL;
}

void add(struct element *element) {
    if (!element)
        return;
    struct element **list = &table[list_of(element)];
    element->next = *list;
    *list = element;
}

int add_if_absent(struct element *element) {
    if (!element)
        return 0;
    for (struct element *known = table[list_of(element)]; known; known = known->next)
        if (known->value == element->value)
            return 0;
    add(element);
    return 1;
}

int is_member(struct element *element) {
    if (!element)
        return 0;
    for (struct element *known = table[list_of(element)]; known; known = known->next)
        if (known == element)
            return 1;
    return 0;
}
