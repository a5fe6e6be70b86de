// tine-test: fn=malloc_long unnoticed
// Blocks of up to 100 bytes, and every number of bytes written.
#include <stdlib.h>
int malloc_long(unsigned char size, unsigned char n) {
    if (size > 100 || n > 100) return 0;
    char *block = malloc(size);
    if (!block) exit(0);
    for (int i = 0; i < n; i++)
        block[i] = 1;                           //~ ERROR out-of-bounds write
    free(block);
    return 0;
}
