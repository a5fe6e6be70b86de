// tine-test: program paths=5
// Every run finds the program as it was loaded: statics, heap, stdio, errno, rand, strtok.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tine.h>

static int runs;

int main(void) {
    static char words[] = "one two";
    tine_assert(runs++ == 0);
    tine_assert(errno == 0);
    tine_assert(strcmp(strtok(words, " "), "one") == 0);
    int drawn = rand();
    tine_assert(drawn == 1804289383);       // glibc's first number for seed 1
    char *heap = malloc(100);
    if (!heap)
        return 1;
    strcpy(heap, "remaining");              // never freed
    errno = ENOENT;
    printf("%s", heap);                     // never flushed before the end
    unsigned char x = tine_uchar("x");
    switch (x) {                            //~ COVERED
    case 1:
        return 1;
    case 2:
        exit(2);
    case 3:
        abort();                            //~ ERROR abort
    case 4:
        tine_assert(x == 5);                //~ ERROR assertion failure
        return 4;
    default:
        return 0;
    }
}
