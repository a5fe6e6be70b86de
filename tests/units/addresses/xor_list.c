// tine-test: fn=xor_list
// A list whose links are the neighbours' addresses, xored.
#include <stdint.h>
#include <tine.h>

struct node {
    uintptr_t link;
    int value;
};

int xor_list(int x, int y) {
    struct node a = {0, 1}, b = {0, x}, c = {0, y};
    a.link = (uintptr_t)&b;
    b.link = (uintptr_t)&a ^ (uintptr_t)&c;
    c.link = (uintptr_t)&b;
    int last = 0;
    uintptr_t before = 0;
    for (struct node *n = &a; n;) {
        uintptr_t next = n->link ^ before;
        last = n->value;
        before = (uintptr_t)n;
        n = (struct node *)next;
    }
    if (last == 91)                                             //~ COVERED
        tine_assert(y != 91);                                   //~ ERROR assertion failure
    tine_assert(last == y);
    return 0;
}
