// tine-test: fn=pair
// CWE-126: a prefix is compared by the length of the longer text.
#include <stdlib.h>
#include <string.h>

static int starts(const char *text, size_t n, const char *prefix, size_t length, int check) {
    if (check && n < length)
        return 0;
    return memcmp(text, prefix, length) == 0; //~ ERROR out-of-bounds read
}

static int run(int k, int check) {
    size_t n = k == 4 ? 2 : 6;
    char *text = malloc(n);
    memcpy(text, "http:/", n);
    int r = starts(text, n, "http:", 5, check);
    free(text);
    return r;
}

int bad(int k) { return run(k, 0); }
int good(int k) { return run(k, 1); }
int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
