// tine-test: fn=chained_table verdict=complete paths=35
// Keys in a table with chains. What is recorded must follow from the path, not from where this run's keys happened to lead:
// else runs do not go as predicted.
#include <stdlib.h>

struct entry {
    const unsigned char *key;
    struct entry *next;
};

int chained_table(const unsigned char keys[3]) {
    struct entry table[5] = {0}, *next;
    int n = 0;
    if (!keys)                                                              //~ COVERED
        return -1;
    for (int i = 0; i < 3; i++) {
        struct entry *first = &table[keys[i] % 5];
        int is_new = 1;
        if (!first->key) {                                                  //~ COVERED
            first->key = &keys[i];
            continue;
        }
        if (*first->key == keys[i])                                         //~ COVERED
            continue;
        for (struct entry *e = first; is_new && e->next; e = e->next)       //~ COVERED
            is_new = *e->next->key != keys[i];
        if (!is_new)                                                        //~ COVERED
            continue;
        struct entry *e = malloc(sizeof *e);
        e->key = &keys[i];
        e->next = first->next;
        first->next = e;
        n++;
    }
    for (int i = 0; i < 5; i++)
        for (struct entry *e = table[i].next; e; e = next) {                //~ COVERED
            next = e->next;
            free(e);
        }
    return n;
}
