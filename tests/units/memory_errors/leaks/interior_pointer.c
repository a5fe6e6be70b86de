// tine-test: fn=f check=+leak
// A block with a header is held by a pointer to its middle only.
#include <stdlib.h>

static char *kept;

int f(int k) {
    long *block = malloc(32);
    if (!block)
        return -1;
    block[0] = k;
    kept = (char *)(block + 1);
    if (k == 5) {
        free(block);
        kept = NULL;
    }
    return 0;
}
