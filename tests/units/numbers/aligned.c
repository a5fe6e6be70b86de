// tine-test: fn=aligned
// A number that the path uses as a pointer is not an input that counts: no error, and the objects there could be are tried.
#include <stdlib.h>

struct pair { long a, b; };
union both { long n; struct pair *p; };
int aligned(union both u) {
    if (u.n == 0)
        return 0;
    return u.p->b == 3;
}
