// tine-test: fn=split check=+leak
// tine-test: fn=words check=+leak
// tine-test: fn=option check=+leak
// tine-test: fn=folder check=+leak
// tine-test: fn=found check=+leak
// tine-test: fn=copied check=+leak
// tine-test: fn=searched check=+leak
// tine's own C code has no error on any input.
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#define strsep own_strsep
#include "../../../models/libc/strsep.c"
#define strtok_r own_strtok_r
#include "../../../models/libc/strtok_r.c"
#define getsubopt own_getsubopt
#include "../../../models/libc/getsubopt.c"
#define dirname own_dirname
#include "../../../models/libc/dirname.c"
#define memmem own_memmem
#include "../../../models/libc/memmem.c"
#define strdup own_strdup
#include "../../../models/libc/strdup.c"
#define strndup own_strndup
#include "../../../models/libc/strndup.c"
#define bsearch own_bsearch
#include "../../../models/libc/bsearch.c"

struct text {
    char text[3], end;
};

int split(struct text in) {
    in.end = 0;
    char *rest = in.text;
    int n = 0;
    while (strsep(&rest, ",;"))
        n++;
    return n;
}

int words(struct text in) {
    in.end = 0;
    char *rest = NULL;
    int n = 0;
    for (char *word = strtok_r(in.text, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        n++;
    return n;
}

int option(struct text in) {
    static char *const names[] = {"a", "bc", NULL};
    in.end = 0;
    char *rest = in.text, *value;
    int k = 0;
    while (*rest)
        k += getsubopt(&rest, names, &value);
    return k;
}

int folder(struct text in) {
    in.end = 0;
    return *dirname(in.text);
}

int found(struct text in, unsigned char n, unsigned char m) {
    if (n > 3 || m > 3)
        return 0;
    char *at = memmem(in.text, n, "xyz", m);
    return at ? at - in.text : -1;
}

int copied(struct text in, unsigned char n) {
    in.end = 0;
    char *whole = strdup(in.text), *part = strndup(in.text, n & 3);
    if (whole && part && strlen(part) > strlen(whole))
        abort();
    free(whole);
    free(part);
    return 0;
}

static int compared(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

int searched(char c, unsigned char n) {
    char *at = n > 5 ? NULL : bsearch(&c, "acegi", n, 1, compared);
    return at ? *at : -1;
}
