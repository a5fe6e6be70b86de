// tine-test: program check=+leak
// CWE-401: a variable of `main` holds the block, and `main` returns.
#include <stdlib.h>
#include <tine.h>

int main(void) {
    int n = tine_int("n");
    char *block = malloc(100); //~ ERROR memory leak
    if (!block)
        return 1;
    if (n == -5)
        return 2;
    free(block);
    return 0;
}
