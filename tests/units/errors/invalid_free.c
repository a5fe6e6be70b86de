// tine-test: fn=release cflags=-Wno-free-nonheap-object
// What is freed must be an object of the heap, from its start, and once.
#include <stdlib.h>

static char table[32];

int release(int way) {
    char local[32], *heap = malloc(32);
    if (heap == NULL)
        return 0;
    if (way == 1)               //~ COVERED
        free(local);            //~ ERROR invalid free
    if (way == 2)               //~ COVERED
        free(table + 8);        //~ ERROR invalid free
    if (way == 3)               //~ COVERED
        free(heap + 8);         //~ ERROR invalid free
    if (way == 4)               //~ COVERED
        free(heap);
    free(heap);                 //~ ERROR double free
    return local == heap;
}
