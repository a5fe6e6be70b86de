// tine-test: program paths=557
// A backtracking matcher on an unknown pattern of four bytes.
#include <klee/klee.h>

static int match_here(const char *pattern, const char *text);

static int match_star(int c, const char *pattern, const char *text) {
    do {
        if (match_here(pattern, text))                          //~ COVERED
            return 1;
    } while (*text != '\0' && (*text++ == c || c == '.'));
    return 0;
}

static int match_here(const char *pattern, const char *text) {
    if (pattern[0] == '\0')
        return 0;
    if (pattern[1] == '*')                                      //~ COVERED
        return match_star(pattern[0], pattern + 2, text);
    if (pattern[0] == '$' && pattern[1] == '\0')                //~ COVERED
        return *text == '\0';
    if (*text != '\0' && (pattern[0] == '.' || pattern[0] == *text))
        return match_here(pattern + 1, text + 1);
    return 0;
}

static int match(const char *pattern, const char *text) {
    if (pattern[0] == '^')                                      //~ COVERED
        return match_here(pattern + 1, text);
    do {
        if (match_here(pattern, text))                          //~ COVERED
            return 1;
    } while (*text++ != '\0');
    return 0;
}

int main(void) {
    char pattern[5];
    klee_make_symbolic(pattern, sizeof pattern, "pattern");
    pattern[4] = '\0';
    return match(pattern, "hello");
}
