#define _GNU_SOURCE
#include <fnmatch.h>
#include <stddef.h>

#include "class.h"
#include "utf8.h"

int library_fnmatch(const char *pattern, const char *text, int flags) LIBRARY(fnmatch);

/* Cases left to the library: extended patterns, classes in brackets, slashes in brackets or after a backslash if they
 * separate names, a backslash at the end, and multibyte characters. */
static int is_simple(const char *p, int flags) {
    if (flags & FNM_EXTMATCH)
        return 0;
    for (int within = 0; *p; p++) {
        if (*p == '\\' && !(flags & FNM_NOESCAPE)) {
            if (!*++p || *p == '/' && flags & FNM_PATHNAME)
                return 0;
        } else if (*p == '[') {
            if (p[1] == ':' || p[1] == '=' || p[1] == '.')
                return 0;
            within = 1;
        }
        if (*p == '/' && within && flags & FNM_PATHNAME)
            return 0;
    }
    return 1;
}

static unsigned char folded(char c, int flags) {
    unsigned char byte = (unsigned char)c;
    return flags & FNM_CASEFOLD ? LOWER(byte) : byte;
}

/* A character of a bracket, possibly after a backslash; moves past it. */
static unsigned char next_of(const char **p, int flags) {
    if (**p == '\\' && !(flags & FNM_NOESCAPE))
        ++*p;
    char c = **p;
    *p += c != 0;
    return folded(c, flags);
}

/* True if `c` is in the bracket whose contents begin at `p`: one expression. Without a closing bracket `end` is NULL,
 * and the opening one is an ordinary character. -1 (no match) if the pattern ends within a range before a hit. */
static int is_in_bracket(const char *p, unsigned char c, int flags, const char **end) {
    int inverted = *p == '!' || *p == '^', found = 0;
    p += inverted;
    for (int first = 1; first || *p != ']'; first = 0) {
        if (!*p) {
            *end = NULL;
            return 0;
        }
        unsigned char low = next_of(&p, flags), high = low;
        if (p[0] == '-' && !p[1]) {
            *end = NULL;
            return -!(found | (low == c));
        }
        if (p[0] == '-' && p[1] != ']') {
            p++;
            high = next_of(&p, flags);
        }
        found |= (low <= c) & (c <= high);
    }
    *end = p + 1;
    return found != inverted;
}

/* True for a period at the start of a name, which only a period in the pattern matches. */
static int is_leading(const char *text, const char *start, int flags) {
    return flags & FNM_PERIOD && *text == '.' && (text == start || flags & FNM_PATHNAME && text[-1] == '/');
}

static int is_slash(char c, int flags) { return flags & FNM_PATHNAME && c == '/'; }

/* Makes a decision for each character that is compared. */
static int matches(const char *p, const char *text, const char *start, int flags) {
    for (; *p; text++) {
        const char *end = NULL;
        switch (*p) {
        case '*':
            if (is_leading(text, start, flags))
                return 0;
            while (*p == '*')
                p++;
            for (;; text++) {
                if (matches(p, text, start, flags))
                    return 1;
                if (!*text || is_slash(*text, flags))
                    return 0;
            }
        case '?':
            if (!*text || is_slash(*text, flags) || is_leading(text, start, flags))
                return 0;
            p++;
            continue;
        case '[': {
            if (!*text)
                return 0;
            int found = is_in_bracket(p + 1, folded(*text, flags), flags, &end);
            if (!end && found < 0)
                return 0;
            if (!end)
                break;
            if (is_slash(*text, flags) || is_leading(text, start, flags) || !found)
                return 0;
            p = end;
            continue;
        }
        case '\\':
            p += !(flags & FNM_NOESCAPE);
            break;
        }
        if (folded(*p, flags) != folded(*text, flags))
            return 0;
        p++;
    }
    return !*text || flags & FNM_LEADING_DIR && *text == '/';
}

/* True if all characters are single bytes. */
static int is_ascii(const char *s) {
    char all = 0;
    while (*s)
        all |= *s++;
    return !(all & 128);
}

int fnmatch(const char *pattern, const char *text, int flags) {
    if (!is_simple(pattern, flags) || is_utf8() && !(is_ascii(pattern) && is_ascii(text)))
        return library_fnmatch(pattern, text, flags);
    return matches(pattern, text, text, flags) ? 0 : FNM_NOMATCH;
}
