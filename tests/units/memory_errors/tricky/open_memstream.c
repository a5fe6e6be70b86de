// tine-test: fn=pair verdict=incomplete reason="loses its dependence"
// CWE-416: the buffer of a memory stream moves while it grows, and is freed by the caller after closing.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int bad(int k) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return 0;
    fputs("abc", f);
    fclose(f);
    if (k == 2)
        free(text);
    int r = text[0]; //~ ERROR use after free
    if (k != 2)
        free(text);
    return r;
}

int good(int k) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        return 0;
    fputs(k == 2 ? "abc" : "", f);
    fclose(f);
    int r = text[size];
    free(text);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
