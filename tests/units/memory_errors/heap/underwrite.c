// tine-test: fn=pair
// CWE-124: trimming blanks at the end of a string walks in front of it.
#include <stdlib.h>
#include <string.h>

static char *make(const char *text) {
    char *p = malloc(strlen(text) + 1);
    strcpy(p, text);
    return p;
}

int bad(int empty) {
    char *s = make(empty == 42 ? "" : "ab ");
    char *e = s + strlen(s) - 1;
    if (empty == 42 || *e == ' ')
        *e = 0; //~ ERROR out-of-bounds write
    free(s);
    return 0;
}

int good(int empty) {
    char *s = make(empty == 42 ? "" : "ab ");
    char *e = s + strlen(s);
    while (e > s && e[-1] == ' ')
        *--e = 0;
    free(s);
    return 0;
}

int pair(int faulty, int empty) { return faulty ? bad(empty) : good(empty); }
