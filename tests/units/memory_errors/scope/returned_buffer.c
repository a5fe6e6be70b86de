// tine-test: fn=pair
// CWE-562: a string is built in a local buffer and returned. The twin lets the caller provide it.
#include <stdio.h>

static char *text_of(int n, char *buffer, size_t size) {
    char local[16], *p = buffer ? buffer : local;
    snprintf(p, buffer ? size : sizeof local, "%d", n);
    return p;
}

int bad(int n) {
    if (n < 0 || n > 9)
        return 0;
    char *t = text_of(n, NULL, 0);
    return t[0]; //~ ERROR use after return
}

int good(int n) {
    char buffer[4];
    if (n < 0 || n > 9)
        return 0;
    char *t = text_of(n, buffer, sizeof buffer);
    return t[0];
}

int pair(int faulty, int n) { return faulty ? bad(n) : good(n); }
