// tine-test: fn=pair
// CWE-762: what `getline`, `posix_memalign` and `asprintf` give is freed; what `getenv` gives is not.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int bad(int k) {
    setenv("NAME", "value", 1);
    char *value = getenv("NAME");
    if (k == 22)
        free(value); //~ ERROR invalid free
    return 0;
}

int good(int k) {
    char *text = NULL;
    void *aligned = NULL;
    if (asprintf(&text, "%d", k == 22) < 0)
        return 0;
    if (posix_memalign(&aligned, 32, 10) == 0)
        free(aligned);
    int r = text[0];
    free(text);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
