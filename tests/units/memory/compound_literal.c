// tine-test: fn=compound_literal
// Objects without a name: arrays, structures, and the address of a scalar.
#include <tine.h>

struct pair {
    int left, right;
};

static int difference(const struct pair *p) { return p->left - p->right; }

int compound_literal(short x, short y) {
    int d = difference(&(struct pair){.right = y, .left = x});
    int *cell = &(int){d};
    int last = ((int[]){1, 2, x})[2];
    if (*cell == 500 && last == 200)        //~ COVERED
        tine_assert(y != -300);             //~ ERROR assertion failure
    if (*cell != x - y)
        return -1;                          //~ UNREACHABLE
    return 0;
}
