// tine-test: fn=all check=-use-after-free,-bounds,-abort,-assert,-uninitialised unnoticed
// tine-test: fn=all check=null,division unnoticed
// What is not checked for is not an error, and the run goes on.
#include <assert.h>
#include <stdlib.h>

static int freed(int n) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = n;
    free(p);
    if (*p == 1234) //~ COVERED
        return 1;
    return 0;
}

static int beyond(int n) {
    char *p = malloc(4);
    if (!p)
        return 0;
    p[4] = (char)n;
    if (p[4] == 'x') //~ COVERED
        return 1;
    return 0;
}

static int stops(int n) {
    if (n == 3) //~ COVERED
        abort();
    assert(n != 4);
    return n;
}

static int unwritten(int n) {
    int never;
    if (n == 8) //~ COVERED
        never = 1;
    return never ? 1 : 2;
}

int all(int which, int n) {
    switch (which) { //~ COVERED
    case 0:
        return freed(n);
    case 1:
        return beyond(n);
    case 2:
        return stops(n);
    default:
        return unwritten(n);
    }
}
