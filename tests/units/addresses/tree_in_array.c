// tine-test: fn=tree_in_array
// Nodes in an array point to each other; one link is changed, then three are followed.
#include <tine.h>

struct tree {
    struct tree *left, *right;
    int value;
};

int tree_in_array(unsigned char a, unsigned char b, unsigned char way) {
    static struct tree n[8];
    for (int k = 0; k < 8; k++)
        n[k] = (struct tree){&n[(k * 2 + 1) & 7], &n[(k * 2 + 2) & 7], k * 3};
    n[a & 7].left = &n[b & 7];
    struct tree *p = &n[0];
    for (int k = 0; k < 3; k++)
        p = way >> k & 1 ? p->right : p->left;
    if (p->value == 18 && (way & 7) == 1)                       //~ COVERED
        tine_assert((a & 7) == 2 || (b & 7) != 6);              //~ ERROR assertion failure
    tine_assert(p >= n && p < n + 8 && p->value == (int)(p - n) * 3);
    if (p == &n[7] && (way & 7) == 7)
        return -1;                                              //~ UNREACHABLE
    return 0;
}
