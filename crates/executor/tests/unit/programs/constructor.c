// Ends, hangs or crashes before `main`.
#include <stdlib.h>

__attribute__((constructor)) static void before(void) {
#if defined EXITS
    exit(3);
#elif defined HANGS
    for (;;) { }
#else
    *(volatile int *)0 = 1;
#endif
}

int main(void) { return 0; }
