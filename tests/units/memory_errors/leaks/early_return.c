// tine-test: fn=pair check=+leak
// CWE-401: an early return forgets a buffer.
#include <stdlib.h>

static int work(int k, int frees) {
    char *buffer = malloc(16); //~ ERROR memory leak
    if (!buffer)
        return -1;
    buffer[0] = (char)k;
    if (k == 44) {
        if (frees)
            free(buffer);
        return 1;
    }
    free(buffer);
    return 0;
}

int pair(int faulty, int k) { return work(k, !faulty); }
