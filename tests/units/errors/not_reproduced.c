// tine-test: fn=once verdict=incomplete reason="abort not reproduced"
// An error that a second run of its input does not show is not reported: the counter lies in memory that all processes
// of the unit share, so that only the first run with x == 7 aborts.
#include <stdlib.h>
#include <sys/mman.h>

static int *count;

__attribute__((constructor)) static void share(void) {
    count = mmap(0, sizeof *count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

int once(int x) {
    if (x == 7 && ++*count == 1)
        abort();
    return x;
}
