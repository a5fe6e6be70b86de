/* Wide characters, in each locale with models, and the locale itself. */
#include "compare.h"

#include <locale.h>
#include <wchar.h>
#include <wctype.h>

size_t model_mbrtowc(wchar_t *, const char *, size_t, mbstate_t *);
size_t model_mbrlen(const char *, size_t, mbstate_t *);
int model_mbsinit(const mbstate_t *);
int model_mbtowc(wchar_t *, const char *, size_t);
int model_mblen(const char *, size_t);
size_t model_wcrtomb(char *, wchar_t, mbstate_t *);
int model_wctomb(char *, wchar_t);
wint_t model_btowc(int);
int model_wctob(wint_t);
int model_wcwidth(wchar_t);
size_t model_wcslen(const wchar_t *);
int model_wcscmp(const wchar_t *, const wchar_t *);
int model_wcsncmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *model_wcschr(const wchar_t *, wchar_t);
wchar_t *model_wcsrchr(const wchar_t *, wchar_t);
wchar_t *model_wcscpy(wchar_t *, const wchar_t *);
wchar_t *model_wcsncpy(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wcscat(wchar_t *, const wchar_t *);
wchar_t *model_wcsstr(const wchar_t *, const wchar_t *);
int model_wmemcmp(const wchar_t *, const wchar_t *, size_t);
wchar_t *model_wmemcpy(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wmemset(wchar_t *, wchar_t, size_t);
size_t model_wcsnlen(const wchar_t *, size_t);
wchar_t *model_wcsdup(const wchar_t *);
wchar_t *model_wmemchr(const wchar_t *, wchar_t, size_t);
wchar_t *model_wmemmove(wchar_t *, const wchar_t *, size_t);
wchar_t *model_wcsncat(wchar_t *, const wchar_t *, size_t);
int model_wcswidth(const wchar_t *, size_t);
wctype_t model_wctype(const char *);
wctrans_t model_wctrans(const char *);
wint_t model_towctrans(wint_t, wctrans_t);
int model_wcscoll(const wchar_t *, const wchar_t *);
int model_wcscasecmp(const wchar_t *, const wchar_t *);
int model_wcsncasecmp(const wchar_t *, const wchar_t *, size_t);
int model_iswctype(wint_t, wctype_t);
size_t model_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t model_mbsnrtowcs(wchar_t *, const char **, size_t, size_t, mbstate_t *);
size_t model_wcsnrtombs(char *, const wchar_t **, size_t, size_t, mbstate_t *);
size_t model_wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
size_t model_wcstombs(char *, const wchar_t *, size_t);

/* Only a few characters, so that they are often equal, including negative ones. */
static void any_wide(wchar_t *to, size_t most) {
    static const wchar_t some[] = {L'a', L'a', L'b', -1, 0x10ffff, 0xe9, 0xd800, 0x4e00};
    size_t n = below(most);
    for (size_t i = 0; i < n; i++)
        to[i] = some[below(8)];
    to[n] = 0;
}
size_t model_mbstowcs(wchar_t *, const char *, size_t);
wint_t model_towlower(wint_t), model_towupper(wint_t);
int model_iswalnum(wint_t), model_iswalpha(wint_t), model_iswblank(wint_t), model_iswcntrl(wint_t), model_iswdigit(wint_t),
    model_iswgraph(wint_t), model_iswlower(wint_t), model_iswprint(wint_t), model_iswpunct(wint_t), model_iswspace(wint_t),
    model_iswupper(wint_t), model_iswxdigit(wint_t);
char *model_setlocale(int, const char *);
void model_free(void *);

/* Hash of the locale after a call; restores it. Ignores errno, which the library does not always set. */
static long long locales(const char *result) {
    long long hash = result ? 7 : 0;
    for (const char *at = result; at && *at; at++)
        hash = hash * 31 + *at;
    for (const char *at = setlocale(LC_ALL, NULL); *at; at++)
        hash = hash * 31 + *at;
    setlocale(LC_ALL, "C");
    errno = 0;
    return hash;
}

extern char **environ;

/* Some environment variables, in a new list. */
static void any_variables(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LC_TIME", "LANG"};
    static const char *const values[] = {NULL, NULL, "", "C", "POSIX", "C.UTF-8", "C.utf8", "C.UTF-", "no such place"};
    static char strings[4][SIZE + 8], *list[5];
    unsigned n = 0;
    for (unsigned k = 0; k < 4; k++) {
        const char *value = values[below(9)];
        if (value)
            snprintf(strings[k], sizeof strings[k], "%s=%s", names[k], value), list[n++] = strings[k];
    }
    list[n] = NULL;
    environ = list;
}

/* Every character below 384, and some others. */
#define WIDE c = below(400) < 384 ? (int)below(384) : (int)(below(0x10000) * 0x8001u >> below(32))
#define SET                                                                                                            \
    any_text(s, 6, bytes_of[below(2)]), n = below(8), p = below(4) ? s : NULL, to = below(4) ? (wchar_t *)ours : NULL,   \
                                          too = to ? (wchar_t *)theirs : NULL, memset(&state, 0, sizeof state), other = state
#define CLASS(name) COMPARE(name, WIDE, !!model_##name(c), !!name(c))

/* The state is part of the result. */
#define WITH(call, state) ({ long long x = (long long)(call); x * 4096 + state.__count; })

static const char *const bytes_of[] = {"ab\x7f\x80\xff\x01", "a\xc3\xa9\xe2\x82\xac\xed\xa0\xf0\x9f\x98\x80\xe0\xf8\xfc\x84"};

/* A string as a whole and byte by byte. */
static void compare_text(const char *s, size_t n, size_t step) {
    mbstate_t state = {0}, other = {0};
    const char *t = step < n ? "in steps" : "whole";
    for (size_t i = 0; i < n; i += step) {
        wchar_t a = 7, b = 7;
        errno = 0;
        size_t x = mbrtowc(&b, s + i, step, &other);
        int errno_x = errno;
        errno = 0;
        size_t y = model_mbrtowc(&a, s + i, step, &state);
        char text[200];
        snprintf(text, sizeof text, "%zd, %x, errno %d, state %x, model %zd, %x, errno %d, state %x", x, b, errno_x,
                 other.__count, y, a, errno, state.__count);
        if (x != y || a != b || errno != errno_x || memcmp(&state, &other, sizeof state))
            different("mbrtowc", text, s, t);
    }
}

/* All strings of one and two bytes, and those of up to four bytes at the limits of their valid ranges. */
static void compare_texts(void) {
    static const unsigned char first[] = {0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xf7, 0xf8, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};
    static const unsigned char next[] = {0, 'a', 0x7f, 0x80, 0x83, 0x84, 0x87, 0x88, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    char s[7] = "";
    for (int k = 0; k < 65536; k++) {
        s[0] = k & 255, s[1] = k >> 8;
        compare_text(s, 1, 1), compare_text(s, 2, 2), compare_text(s, 2, 1);
    }
    for (unsigned k = 0; k < 21 * 15 * 15 * 15; k++) {
        s[0] = first[k % 21], s[1] = next[k / 21 % 15], s[2] = next[k / 21 / 15 % 15], s[3] = next[k / 21 / 15 / 15];
        for (int n = 3; n <= 6; n++)
            s[4] = s[5] = s[1], compare_text(s, n, n), compare_text(s, n, 1), compare_text(s, n, 2);
    }
}

static void compare_in_locale(void) {
    char s[SIZE] = "", t[1] = "";
    const char *p;
    wchar_t *to, *too, wide[] = L"wide";
    size_t n;
    int c;
    mbstate_t state, other;
    compare_texts();
    COMPARE(mbrtowc, SET, WITH(model_mbrtowc(to, p, n, &state), state), WITH(mbrtowc(too, p, n, &other), other));
    COMPARE(mbrtowc, SET, model_mbrtowc(to, p, n, NULL), mbrtowc(too, p, n, NULL));
    COMPARE(mbrlen, SET, WITH(model_mbrlen(p, n, &state), state), WITH(mbrlen(p, n, &other), other));
    COMPARE(mbrlen, SET, model_mbrlen(p, n, NULL), mbrlen(p, n, NULL));
    COMPARE(mbsinit, (SET, state.__count = below(3) << 8), !!model_mbsinit(&state), !!mbsinit(&state));
    COMPARE(mbtowc, SET, model_mbtowc(to, p, n), mbtowc(too, p, n));
    COMPARE(mblen, SET, model_mblen(p, n), mblen(p, n));
    COMPARE(mbstowcs, SET, model_mbstowcs(to, s, n), mbstowcs(too, s, n));
    COMPARE(wcrtomb, (WIDE, memset(&state, 0, sizeof state)), model_wcrtomb(ours, c, &state), wcrtomb(theirs, c, &state));
    COMPARE(wctomb, WIDE, model_wctomb(ours, c), wctomb(theirs, c));
    COMPARE(wctomb, WIDE, model_wctomb(NULL, c), wctomb(NULL, c));
    COMPARE(btowc, WIDE, (int)model_btowc(c - 100), (int)btowc(c - 100));
    COMPARE(wctob, WIDE, model_wctob(c), wctob(c));
    COMPARE(wcwidth, WIDE, model_wcwidth(c), wcwidth(c));
    wchar_t u[5], v[5];
    wchar_t *mine = (wchar_t *)ours, *others = (wchar_t *)theirs;
#define TWO any_wide(u, 5), any_wide(v, 4), n = below(4)
#define PUT(at) (memcpy(at, u, sizeof u), at)
    COMPARE(wcscmp, TWO, sign(model_wcscmp(u, v)), sign(wcscmp(u, v)));
    COMPARE(wcsncmp, TWO, sign(model_wcsncmp(u, v, n)), sign(wcsncmp(u, v, n)));
    COMPARE(wcscoll, TWO, sign(model_wcscoll(u, v)), sign(wcscoll(u, v)));
    COMPARE(wcscasecmp, (TWO, u[0] ^= 32 * below(2)), sign(model_wcscasecmp(u, v)), sign(wcscasecmp(u, v)));
    COMPARE(wcsncasecmp, (TWO, u[0] ^= 32 * below(2)), sign(model_wcsncasecmp(u, v, n)), sign(wcsncasecmp(u, v, n)));
    COMPARE(wcschr, TWO, model_wcschr(u, v[0]), wcschr(u, v[0]));
    COMPARE(wcsrchr, TWO, model_wcsrchr(u, v[0]), wcsrchr(u, v[0]));
    COMPARE(wcscpy, TWO, model_wcscpy(mine, u) - mine, wcscpy(others, u) - others);
    COMPARE(wcsncpy, TWO, model_wcsncpy(mine, u, n) - mine, wcsncpy(others, u, n) - others);
    COMPARE(wcscat, TWO, model_wcscat(PUT(mine), v) - mine, wcscat(PUT(others), v) - others);
    COMPARE(wcsstr, TWO, model_wcsstr(u, v), wcsstr(u, v));
    COMPARE(wmemcmp, TWO, sign(model_wmemcmp(u, v, n)), sign(wmemcmp(u, v, n)));
    COMPARE(wmemcpy, TWO, model_wmemcpy(mine, u, n) - mine, wmemcpy(others, u, n) - others);
    COMPARE(wmemset, TWO, model_wmemset(mine, u[0], n) - mine, wmemset(others, u[0], n) - others);
    COMPARE(wmemmove, TWO, model_wmemmove(mine + 1, mine, n) - mine, wmemmove(others + 1, others, n) - others);
    COMPARE(wmemchr, TWO, model_wmemchr(u, v[0], n), wmemchr(u, v[0], n));
    COMPARE(wcsncat, TWO, model_wcsncat(PUT(mine), v, n) - mine, wcsncat(PUT(others), v, n) - others);
    COMPARE(wcsnlen, TWO, model_wcsnlen(u, n), wcsnlen(u, n));
    COMPARE(wcswidth, TWO, model_wcswidth(u, n), wcswidth(u, n));
    COMPARE(wcsdup, TWO, ({ wchar_t *copy = model_wcsdup(u); wcscpy(mine, copy); free(copy), 1; }), (wcscpy(others, u), 1));
    /* Strings to convert, and their rest. After an invalid character, the library reports the start of the part
     * that it works on, with a matching state. */
#define LEFT(call, from) ({ long x = (long)(call); if (x == -1 && MB_CUR_MAX > 1) from = start, memset(&state, 0, sizeof state), other = state; x * 100 + (from ? from - start : -1); })
#define NARROW SET, start = s, from = too_from = s
    const char *start = s, *from, *too_from;
    COMPARE(mbsrtowcs, NARROW, WITH(LEFT(model_mbsrtowcs(to, &from, n, &state), from), state), WITH(LEFT(mbsrtowcs(too, &too_from, n, &other), too_from), other));
    COMPARE(mbsrtowcs, (NARROW, any_text(s, 6, "a\x01")), LEFT(model_mbsrtowcs(to, &from, n, NULL), from), LEFT(mbsrtowcs(too, &too_from, n, NULL), too_from));
    size_t room;
    COMPARE(mbsnrtowcs, (NARROW, room = below(8)), WITH(LEFT(model_mbsnrtowcs(to, &from, n, room, &state), from), state),
            WITH(LEFT(mbsnrtowcs(too, &too_from, n, room, &other), too_from), other));
    {
        const wchar_t *start = u, *from, *too_from;
        char *bytes;
#define WIDER TWO, n = below(8), u[0] = below(2) ? 'x' : u[0], from = too_from = u, bytes = below(3) ? ours : NULL, memset(&state, 0, sizeof state)
        COMPARE(wcsrtombs, WIDER, LEFT(model_wcsrtombs(bytes, &from, n, &state), from), LEFT(wcsrtombs(bytes ? theirs : NULL, &too_from, n, &state), too_from));
        COMPARE(wcsnrtombs, (WIDER, room = below(8)), LEFT(model_wcsnrtombs(bytes, &from, room, n, &state), from), LEFT(wcsnrtombs(bytes ? theirs : NULL, &too_from, room, n, &state), too_from));
        COMPARE(wcstombs, WIDER, model_wcstombs(bytes, u, n), wcstombs(bytes ? theirs : NULL, u, n));
    }
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "none", ""};
#define NAMED WIDE, p = classes[below(sizeof classes / sizeof *classes)]
    COMPARE(wctype, NAMED, model_wctype(p), wctype(p));
    COMPARE(iswctype, NAMED, !!model_iswctype(c, wctype(p)), !!iswctype(c, wctype(p)));
    static const char *const mappings[] = {"tolower", "toupper", "none", ""};
#define MAPPED WIDE, p = mappings[below(4)]
    COMPARE(wctrans, MAPPED, model_wctrans(p), wctrans(p));
    COMPARE(towctrans, MAPPED, model_towctrans(c, wctrans(p)), towctrans(c, wctrans(p)));
    COMPARE(wcslen, n = below(5), model_wcslen(wide + n), wcslen(wide + n));
    COMPARE(towlower, WIDE, model_towlower(c), towlower(c));
    COMPARE(towupper, WIDE, model_towupper(c), towupper(c));
    CLASS(iswalnum);
    CLASS(iswalpha);
    CLASS(iswblank);
    CLASS(iswcntrl);
    CLASS(iswdigit);
    CLASS(iswgraph);
    CLASS(iswlower);
    CLASS(iswprint);
    CLASS(iswpunct);
    CLASS(iswspace);
    CLASS(iswupper);
    CLASS(iswxdigit);
}

void compare_wide(void) {
    static const char *const names[] = {"C", "POSIX", NULL, "no such place", "", "C.UTF-8", "C.utf8"};
    static char before[4096];
    char **kept = environ;
    char s[SIZE] = "", t[1] = "";
    const char *p;
    size_t n;
    int c;
    setlocale(LC_ALL, "C");
    compare_in_locale();
    if (!setlocale(LC_ALL, "C.UTF-8"))
        different("setlocale", "not installed", "C.UTF-8", "");
    compare_in_locale();
    setlocale(LC_ALL, "C");
#define SOME any_variables(), p = names[below(7)], c = below(3) ? LC_ALL : (int)below(17) - 2
    COMPARE(setlocale, SOME, locales(model_setlocale(c, p)), locales(setlocale(c, p)));
    /* Restores an earlier locale from the current one. */
#define MIXED SOME, setlocale((int)below(13), names[below(7)]), setlocale((int)below(13), "C.utf8"), strcpy(before, setlocale(c < 0 || c > 12 ? LC_ALL : c, NULL)), setlocale(LC_ALL, "C")
    COMPARE(setlocale, (MIXED), locales(model_setlocale(c, before)), locales(setlocale(c, before)));
    environ = kept;
    COMPARE(free, n = below(99), (model_free(malloc(n)), 0), (free(malloc(n)), 0));
}
