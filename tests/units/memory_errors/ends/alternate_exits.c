// tine-test: program sym-stdin=2
// CWE-416: an exit handler uses what `main` has freed. The twin leaves by `_Exit`, which runs no handler.
#include <stdio.h>
#include <stdlib.h>

static int *log_level;

static void at_end(void) {
    if (log_level)
        *log_level = 0; //~ ERROR use after free
}

int main(void) {
    log_level = malloc(sizeof *log_level);
    atexit(at_end);
    int c = getchar();
    if (c == 'k')
        exit(0);
    free(log_level);
    if (c == 'q')
        _Exit(0);
    if (c != 'f')
        log_level = NULL;
    return 0;
}
