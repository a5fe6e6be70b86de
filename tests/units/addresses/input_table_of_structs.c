// tine-test: fn=input_table_of_structs
// Elements of an input, some of whose fields index others.
#include <tine.h>

struct node {
    unsigned char next;
    short value;
};

int input_table_of_structs(const struct node *t) {
    tine_assume(t != 0);
    for (int k = 0; k < 3; k++)
        tine_assume(t[k].next < 3);
    int at = t[t[0].next].next;
    if (t[at].value == -777 && at == 2)             //~ COVERED
        tine_assert(t[0].next != 1);                //~ ERROR assertion failure
    tine_assert(at < 3);
    return 0;
}
