// tine-test: fn=sentinel
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

struct cell { int v; struct cell *next; };
#define END ((struct cell *)-1)
int sentinel(struct cell *p) {
    int sum = 0;
    for (int n = 0; p && p != END && n < 3; n++, p = p->next)
        sum += p->v == n;
    if (p == END && sum == 2)
        abort(); //~ ERROR abort
    return 0;
}
