// tine-test: fn=array
// A pointer beside every other kind of member, in every place.
#include <stdlib.h>
#include <string.h>

struct array { union { int *p; long n; } of[3]; };
int array(struct array v) {
    if (v.of[0].p && *v.of[0].p == 7 && v.of[2].n == -1)
        abort(); //~ ERROR abort
    return 0;
}
