// tine-test: fn=pair
// CWE-126: strings that end with the last byte of their block, in functions that read by words.
#include <stdlib.h>
#include <string.h>

static char *tight(const char *s, size_t n) {
    char *p = malloc(n);
    memcpy(p, s, n);
    return p;
}

int bad(int k) {
    char *a = tight("abcdefg", k == 6 ? 7 : 8);
    int r = (int)strlen(a); //~ ERROR out-of-bounds read
    free(a);
    return r;
}

int good(int k) {
    char *a = tight("abcdefg", 8), *b = tight("abc", 4), *c = tight("x", 2);
    int r = (int)(strlen(a) + strlen(b) + strlen(c));
    r += strcmp(a, b) > 0;
    r += strncmp(a, b, 3) == 0;
    r += strstr(a, b) == a;
    r += strrchr(a, 'g') != NULL;
    r += (int)strspn(b, a) + (int)strcspn(c, b);
    r += memchr(b, k, 4) != NULL;
    free(a);
    free(b);
    free(c);
    return r;
}

int pair(int faulty, int k) { return faulty ? bad(k) : good(k); }
