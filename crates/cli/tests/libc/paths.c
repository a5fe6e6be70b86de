/* Parts of paths, patterns of them, and options in one word. */
#include "compare.h"

#include <fnmatch.h>
#include <locale.h>

char *basename(const char *), *model_basename(const char *);
char *__xpg_basename(char *), *model___xpg_basename(char *);
char *dirname(char *), *model_dirname(char *);
int model_fnmatch(const char *, const char *, int);
int model_getsubopt(char **, char *const *, char **);

/* The part, and the path after the call. */
static int part(char *function(char *), const char *path, char *to) {
    strcpy(to, path);
    char *part = function(to);
    int offset = part >= to && part < to + SIZE ? (int)(part - to) : -1;
    strcpy(to + SIZE, part);
    return offset;
}

static int options(int function(char **, char *const *, char **), const char *text, char *to) {
    static char *const words[] = {"ro", "size", "r", NULL};
    char *at = strcpy(to, text), *value;
    int sum = 0;
    for (int round = 0; round < 4; round++) {
        value = to;
        int found = function(&at, words, &value);
        sum = sum * 37 + found + 5 * (int)(at - to) + (value ? (int)(value - to) : -7);
    }
    return sum;
}

#define SET any_text(s, 8, "//a.b")

void compare_paths(void) {
    char s[SIZE] = "", t[SIZE] = "";
    int flags;
    COMPARE(basename, SET, model_basename(s) - s, basename(s) - s);
    COMPARE(__xpg_basename, SET, part(model___xpg_basename, s, ours), part(__xpg_basename, s, theirs));
    COMPARE(dirname, SET, part(model_dirname, s, ours), part(dirname, s, theirs));
#define PATTERN                                                                                                        \
    any_text(s, 7, below(2) ? "aAb*?." : "ab*?[]!^-/.\\"), any_text(t, 6, "aAbB/.-]["),                                  \
        flags = (int)(below(3) ? 0 : below(32)) & (FNM_PATHNAME | FNM_NOESCAPE | FNM_PERIOD | FNM_LEADING_DIR | FNM_CASEFOLD)
    setlocale(LC_ALL, "C.UTF-8");
    COMPARE(fnmatch, (PATTERN, s[below(3)] = "\xc3\xa9\xa8"[below(3)], t[below(3)] = "\xc3\xa9\xa8"[below(3)]), model_fnmatch(s, t, flags), fnmatch(s, t, flags));
    setlocale(LC_ALL, "C");
    COMPARE(fnmatch, PATTERN, model_fnmatch(s, t, flags), fnmatch(s, t, flags));
    COMPARE(getsubopt, any_text(s, SIZE - 1, "ro,=,size"), options(model_getsubopt, s, ours), options(getsubopt, s, theirs));
}
