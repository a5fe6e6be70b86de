/* A list on the heap. */
#include <stdlib.h>
struct cell { int value, kind; struct cell *next; };
int f(int a, int k) {
    struct cell *one = malloc(sizeof *one), *two = malloc(sizeof *two);
    if (!one || !two)               //~ DECIDES
        return 0;
    one->next = two;
    one->kind = two->kind = k;
    two->next = 0;
    one->next->value = a;           //~ TARGET
    one->value = k;
    int r = 0;
    if (one->value == 1)            //~ UNRELATED
        r = 1;
    if (two->value == 2)            //~ INFLUENCED
        r = 2;
    if (two->kind == 2)             //~ UNRELATED
        r = 3;
    free(two), free(one);
    return r;
}
