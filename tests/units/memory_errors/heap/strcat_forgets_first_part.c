// tine-test: fn=pair
// CWE-122: room for both parts, but not for the separator.
#include <stdlib.h>
#include <string.h>

static char *join(const char *a, const char *b, size_t extra) {
    char *s = malloc(strlen(a) + strlen(b) + extra);
    strcpy(s, a);
    strcat(s, "/");
    strcat(s, b); //~ ERROR out-of-bounds write
    return s;
}

int bad(int k) {
    free(join("usr", k == 3 ? "lib" : "bin", 1));
    return 0;
}

int good(int k) {
    free(join("usr", k == 3 ? "lib" : "bin", 2));
    return 0;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
