// tine-test: fn=adjacent verdict=complete input="q is placed 16 bytes after p"
// How far apart objects lie that are in use is for the path to say, to the byte.
#include <stdlib.h>

struct pair {
    long a, b;
};

void adjacent(struct pair *p, struct pair *q) {
    if (!p || !q || p == q)             //~ COVERED
        return;
    p->a = 1;
    q->a = 2;
    if ((char *)q - (char *)p == sizeof *p)     //~ COVERED
        abort();                        //~ ERROR abort
    if ((char *)q - (char *)p == 8)
        abort();                        //~ UNREACHABLE
}
