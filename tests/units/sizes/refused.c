// tine-test: program verdict=bounded reason="--memory"
// tine-test: program cflags=-DIMPOSSIBLE
// An allocation larger than the memory of a run might succeed elsewhere: what follows from its failure is not an error. One that no
// machine has fails everywhere.
#include <assert.h>
#include <stdlib.h>
int main(void) {
#ifdef IMPOSSIBLE
    volatile size_t size = (size_t)1 << 62;
    char *p = malloc(size);
    assert(!p);
#else
    char *p = malloc(5ul << 30);
    assert(p);
#endif
    free(p);
    return 0;
}
