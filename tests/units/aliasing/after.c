// tine-test: fn=after verdict=complete input="bytes after p"
// Objects that are in use are moved, where a branch asks for it.
#include <stdlib.h>

struct pair {
    long a, b;
};

void after(struct pair *p, struct pair *q) {
    if (!p || !q || p == q)             //~ COVERED
        return;
    p->a = 1;
    q->a = 2;
    if (q - p == 1)                     //~ COVERED
        abort();                        //~ ERROR abort
}
