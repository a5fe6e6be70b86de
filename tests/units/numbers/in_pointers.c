// tine-test: fn=whole input="p = 0x4d"
// tine-test: fn=cut
// tine-test: fn=failed
// tine-test: fn=masked
// tine-test: fn=handler
// tine-test: fn=indexed
// tine-test: fn=sentinel
// Numbers that are stored in pointers.
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

int whole(int *p) {
    if ((long)p == 77)
        abort(); //~ ERROR abort
    return 0;
}

int cut(void *data) {
    int n = (int)(long)data;
    if (n == 5)
        abort(); //~ ERROR abort
    return 0;
}

/* As Linux tells errors: the last page holds no object. */
int failed(int *p) {
    if ((uintptr_t)p >= (uintptr_t)-4095 && -(long)p == 12)
        abort(); //~ ERROR abort
    return p && *p == 3;
}

int masked(int *p) {
    if (((uintptr_t)p & 1) && (intptr_t)p >> 1 == -20)
        abort(); //~ ERROR abort
    return 0;
}

typedef void handler_t(int);
int handler(handler_t *h) {
    if (h == SIG_IGN)
        abort(); //~ ERROR abort
    return 0;
}

static char table[10] = "....x.....";
int indexed(void *data) {
    uintptr_t n = (uintptr_t)data;
    if (n < sizeof table && table[n] == 'x')
        abort(); //~ ERROR abort
    return 0;
}

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
