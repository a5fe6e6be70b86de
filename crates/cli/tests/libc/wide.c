/* Wide characters and the locale, which is "C". */
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
int model_iswctype(wint_t, wctype_t);
size_t model_mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *);
size_t model_wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *);
size_t model_wcstombs(char *, const wchar_t *, size_t);

/* Few characters, so that they are often equal, negative ones among them. */
static void any_wide(wchar_t *to, size_t most) {
    static const wchar_t some[] = {L'a', L'a', L'b', -1, 0x10ffff};
    size_t n = below(most);
    for (size_t i = 0; i < n; i++)
        to[i] = some[below(5)];
    to[n] = 0;
}
size_t model_mbstowcs(wchar_t *, const char *, size_t);
wint_t model_towlower(wint_t), model_towupper(wint_t);
int model_iswalnum(wint_t), model_iswalpha(wint_t), model_iswblank(wint_t), model_iswcntrl(wint_t), model_iswdigit(wint_t),
    model_iswgraph(wint_t), model_iswlower(wint_t), model_iswprint(wint_t), model_iswpunct(wint_t), model_iswspace(wint_t),
    model_iswupper(wint_t), model_iswxdigit(wint_t);
char *model_setlocale(int, const char *);
void model_free(void *);

/* The library does not always say why a locale is unknown. */
static int text_of(const char *locale) {
    errno = 0;
    return locale ? locale[0] * 256 + locale[1] : -1;
}

/* Every character below 384, and some others. */
#define WIDE c = round % 400 < 384 ? round % 400 : (int)below(0x30000)
#define SET                                                                                                            \
    any_text(s, 6, "ab\x7f\x80\xff\x01"), n = below(8), p = below(4) ? s : NULL, to = below(4) ? (wchar_t *)ours : NULL,   \
                                          too = to ? (wchar_t *)theirs : NULL, memset(&state, 0, sizeof state)
#define CLASS(name) COMPARE(name, WIDE, !!model_##name(c), !!name(c))

void compare_wide(void) {
    char s[SIZE] = "", t[1] = "";
    const char *p;
    wchar_t *to, *too, wide[] = L"wide";
    size_t n;
    int c;
    mbstate_t state;
    COMPARE(mbrtowc, SET, model_mbrtowc(to, p, n, &state), mbrtowc(too, p, n, &state));
    COMPARE(mbrlen, SET, model_mbrlen(p, n, &state), mbrlen(p, n, &state));
    COMPARE(mbsinit, SET, !!model_mbsinit(&state), !!mbsinit(&state));
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
    /* Texts to convert, and what is left of them. */
#define LEFT(call, from) ({ long x = (long)(call); x * 100 + (from ? from - start : -1); })
#define NARROW SET, start = s, from = too_from = s
    const char *start = s, *from, *too_from;
    COMPARE(mbsrtowcs, NARROW, LEFT(model_mbsrtowcs(to, &from, n, &state), from), LEFT(mbsrtowcs(too, &too_from, n, &state), too_from));
    {
        const wchar_t *start = u, *from, *too_from;
        char *bytes;
#define WIDER TWO, n = below(8), u[0] = below(2) ? 'x' : u[0], from = too_from = u, bytes = below(3) ? ours : NULL, memset(&state, 0, sizeof state)
        COMPARE(wcsrtombs, WIDER, LEFT(model_wcsrtombs(bytes, &from, n, &state), from), LEFT(wcsrtombs(bytes ? theirs : NULL, &too_from, n, &state), too_from));
        COMPARE(wcstombs, WIDER, model_wcstombs(bytes, u, n), wcstombs(bytes ? theirs : NULL, u, n));
    }
    static const char *const classes[] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit", "none", ""};
#define NAMED WIDE, p = classes[below(sizeof classes / sizeof *classes)]
    COMPARE(wctype, NAMED, model_wctype(p), wctype(p));
    COMPARE(iswctype, NAMED, !!model_iswctype(c, wctype(p)), !!iswctype(c, wctype(p)));
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
    COMPARE(setlocale, p = ((const char *[]){"C", "POSIX", NULL, "no such place"})[below(4)],
            text_of(model_setlocale(LC_ALL, p)), text_of(setlocale(LC_ALL, p)));
    COMPARE(setlocale, c = (int)below(20) - 2, text_of(model_setlocale(c, "C")), text_of(setlocale(c, "C")));
    COMPARE(free, n = below(99), (model_free(malloc(n)), 0), (free(malloc(n)), 0));
}
