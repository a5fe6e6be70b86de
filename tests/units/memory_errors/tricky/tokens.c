// tine-test: fn=f
// A scanner fills a token as far as its kind needs.
#include <ctype.h>

struct token {
    enum { END, NUMBER, NAME, SIGN } kind;
    union {
        int number;
        char name[8];
        char sign;
    } u;
};

static const char *next(const char *s, struct token *t) {
    while (*s == ' ')
        s++;
    if (!*s) {
        t->kind = END;
    } else if (isdigit((unsigned char)*s)) {
        t->kind = NUMBER;
        t->u.number = 0;
        while (isdigit((unsigned char)*s))
            t->u.number = t->u.number * 10 + *s++ - '0';
    } else if (isalpha((unsigned char)*s)) {
        int n = 0;
        t->kind = NAME;
        while (isalpha((unsigned char)*s) && n < 7)
            t->u.name[n++] = *s++;
        t->u.name[n] = 0;
    } else {
        t->kind = SIGN;
        t->u.sign = *s++;
    }
    return s;
}

int f(char a, char b) {
    char text[3] = {a, b, 0};
    struct token t, all[3];
    const char *s = text;
    int n = 0;
    do {
        s = next(s, &t);
        all[n++] = t;
    } while (t.kind != END && n < 3);
    if (all[0].kind == NUMBER && all[0].u.number == 42)
        return 1;
    if (all[0].kind == NAME && all[0].u.name[1] == 0)
        return 2;
    return n;
}
