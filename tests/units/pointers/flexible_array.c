// tine-test: fn=flexible_array verdict=complete
// Inputs with an array of any length at their end: of numbers after a pointer, and of pointers after a number.
#include <stdlib.h>

struct record {
    struct record *next;
    long words[];
};

struct table {
    char n;
    char kind;
    int *items[];
};

int flexible_array(struct record *record, struct table *table) {
    if (record && record->words[1] == 77) { //~ COVERED
        if (record->next == record && record->words[0] == 123) //~ COVERED
            abort(); //~ ERROR abort
    }
    if (!table || table->n != 2 || table->kind != 'k')
        return 0;
    int *first = table->items[0], *second = table->items[1];
    if (first && second && *second == 5) {
        if (first == second) //~ COVERED
            abort(); //~ ERROR abort
        if (*first == 6)
            return 1; //~ COVERED
        if (first == (int *)(void *)table)
            abort(); //~ UNREACHABLE
    }
    return 0;
}
