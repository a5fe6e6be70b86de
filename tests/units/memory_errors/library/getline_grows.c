// tine-test: program sym-stdin=4
// CWE-416: `getline` may move the line. The twin lets it grow and frees it once.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int bad(void) {
    size_t size = 1;
    char *line = malloc(size), *first = line;
    line[0] = 0;
    long n = getline(&line, &size, stdin);
    int r = n > 1 ? first[0] : 0; //~ ERROR use after free
    free(line);
    return r;
}

static int good(void) {
    size_t size = 0;
    char *line = NULL;
    long n = getline(&line, &size, stdin);
    int r = n > 0 ? line[n] : 0;
    free(line);
    return r;
}

int main(void) { return getchar() == 'f' ? bad() : good(), 0; }
