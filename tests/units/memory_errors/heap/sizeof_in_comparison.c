// tine-test: fn=pair max-string=9 verdict=bounded reason=max-string
// CWE-467: the limit is the size of a pointer, and the block is smaller.
#include <stdlib.h>
#include <string.h>

static void set(char *to, const char *from, size_t limit) {
    if (strlen(from) < limit)
        strcpy(to, from); //~ ERROR out-of-bounds write
}

int bad(const char *s) {
    char *name = malloc(6);
    set(name, s, sizeof name);
    free(name);
    return 0;
}

int good(const char *s) {
    char *name = malloc(6);
    set(name, s, 6);
    free(name);
    return 0;
}

int pair(int faulty, const char *s) { return !s ? 0 : faulty ? bad(s) : good(s); }
