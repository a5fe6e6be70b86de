// tine-test: fn=pair verdict=incomplete reason="length depends on the input"
// CWE-122, CWE-805: one byte more than the block has, far above the lengths that are tried one by one.
#include <stdlib.h>
#include <string.h>

static void clear(char *block, unsigned n) { memset(block, 0, n); }     //~ ERROR out-of-bounds write

int bad(unsigned n) {
    char *block = malloc(100);
    if (!block) exit(0);
    if (n <= 101) clear(block, n);
    free(block);
    return 0;
}

int good(unsigned n) {
    char *block = malloc(100);
    if (!block) exit(0);
    if (n <= 100) memset(block, 0, n);
    free(block);
    return 0;
}

int pair(int faulty, unsigned n) { return faulty ? bad(n) : good(n); }
