// tine-test: fn=by_index
// tine-test: fn=by_condition
// tine-test: fn=written_through
// tine-test: fn=with_variable
// tine-test: fn=through_two
// tine-test: fn=beside
// tine-test: fn=without_check strict
// An address selected among input pointers: each of them may be NULL, an object of its own, or another's object.
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

int by_index(int n, struct item *a) {
    if (!a)
        return 0;
    struct item *table[2] = {a, a->next};
    if (n < 0 || n > 1 || !table[n])
        return 1;
    if (table[n]->value == 5) {             //~ COVERED
        if (n == 1 && table[1] != a)        //~ COVERED
            abort();                        //~ ERROR abort
    }
    return 2;
}

int by_condition(int n, struct item *a, struct item *b) {
    struct item *p = n > 3 ? a : b;
    if (p && p->value == 7)                 //~ COVERED
        if (n == 2)                         //~ COVERED
            abort();                        //~ ERROR abort
    return 0;
}

int written_through(unsigned n, struct item *a, struct item *b, struct item *c) {
    struct item *table[3] = {a, b, c};
    if (n > 2 || !table[n] || !b)
        return 0;
    b->value = 1;
    table[n]->value = 4;
    if (b->value == 4 && n == 2)            //~ COVERED
        abort();                            //~ ERROR abort
    if (b->value == 1 && table[n] == b)
        abort();                            //~ UNREACHABLE
    return 1;
}

static struct item variable = {9, 0};

int with_variable(unsigned n, struct item *a) {
    struct item *table[3] = {&variable, a, &variable};
    if (n > 2 || !table[n])
        return 0;
    table[n]->value = 11;
    if (variable.value == 11 && n == 1)
        abort();                            //~ UNREACHABLE
    if (variable.value == 9 && a && a->value != 11)
        abort();                            //~ UNREACHABLE
    if (variable.value == 11 && n == 2)     //~ COVERED
        abort();                            //~ ERROR abort
    return 1;
}

int through_two(unsigned n, struct item *a, struct item *b) {
    struct item *table[2] = {a, b};
    if (n > 1 || !table[n] || !table[n]->next)
        return 0;
    if (table[n]->next->value == 6 && n == 1)   //~ COVERED
        abort();                            //~ ERROR abort
    return 1;
}

int beside(int n, int *a, int *b) {
    int *p = n & 1 ? a : b, *q = n & 2 ? a : b;
    if (!p || !q)
        return 0;
    *p = 1;
    *q = 2;
    if (*p == 2 && p != q)
        abort();                            //~ UNREACHABLE
    if (*p == 2 && n == 2)                  //~ COVERED
        abort();                            //~ ERROR abort
    return 1;
}

int without_check(unsigned n, struct item *a, struct item *b) {
    struct item *table[2] = {a, b};
    if (n > 1 || !a)
        return 0;
    return table[n]->value;                 //~ ERROR null pointer dereference
}
