// tine-test: program sym-stdin=5
// CWE-805: `fgets` gets a size that the buffer does not have.
#include <stdio.h>
#include <stdlib.h>

static int bad(void) {
    char *line = malloc(3);
    int r = fgets(line, 5, stdin) != NULL; //~ ERROR out-of-bounds write
    free(line);
    return r;
}

static int good(void) {
    char *line = malloc(3);
    int r = fgets(line, 3, stdin) != NULL;
    free(line);
    return r;
}

int main(void) { return getchar() == 'f' ? bad() : good(); }
