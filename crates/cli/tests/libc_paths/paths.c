/* Calls one model of the C library, named by the first argument, on inputs of up to four bytes.
 *
 * `s` and `t` are strings: two arbitrary bytes each, or all four for functions of one string. */
#define _GNU_SOURCE
#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <inttypes.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

#include <tine.h>

void *__memcpy_chk(void *, const void *, size_t, size_t);
void *__memmove_chk(void *, const void *, size_t, size_t);
void *__mempcpy_chk(void *, const void *, size_t, size_t);
void *__memset_chk(void *, int, size_t, size_t);
char *__stpcpy_chk(char *, const char *, size_t);
char *__stpncpy_chk(char *, const char *, size_t, size_t);
char *__strcat_chk(char *, const char *, size_t);
char *__strcpy_chk(char *, const char *, size_t);
char *__strncat_chk(char *, const char *, size_t, size_t);
char *__strncpy_chk(char *, const char *, size_t, size_t);
int __snprintf_chk(char *, size_t, int, size_t, const char *, ...);
int __sprintf_chk(char *, int, size_t, const char *, ...);
int __vsnprintf_chk(char *, size_t, int, size_t, const char *, va_list);
int __vsprintf_chk(char *, int, size_t, const char *, va_list);
int __asprintf_chk(char **, int, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list);
char *__strdup(const char *);
char *__strtok_r(char *, const char *, char **);
long __isoc23_strtol(const char *, char **, int);
long long __isoc23_strtoll(const char *, char **, int);
unsigned long __isoc23_strtoul(const char *, char **, int);
unsigned long long __isoc23_strtoull(const char *, char **, int);
intmax_t __isoc23_strtoimax(const char *, char **, int);
uintmax_t __isoc23_strtoumax(const char *, char **, int);
void __explicit_bzero_chk(void *, size_t, size_t);
char *__xpg_basename(char *);
int __isnan(double), __isinf(double), __finite(double), __fpclassify(double), __signbit(double);
int __isnanf(float), __isinff(float), __finitef(float), __fpclassifyf(float), __signbitf(float);
char *dirname(char *);
size_t strlcpy(char *, const char *, size_t);
size_t strlcat(char *, const char *, size_t);

static char s[5], t[5], d[64];
static char *end;
static size_t n;

/* Two strings of two bytes each. */
static void two(void) {
    tine_symbolic(s, 2, "s");
    tine_symbolic(t, 2, "t");
}

static void four(void) { tine_symbolic(s, 4, "s"); }

static int number(void) {
    int value;
    tine_symbolic(&value, sizeof value, "value");
    return value;
}

static float fraction(void) {
    float value;
    tine_symbolic(&value, sizeof value, "value");
    return value;
}

/* A length of at most four. */
static size_t length(void) {
    n = (size_t)number();
    tine_assume(n <= 4);
    return n;
}

static void utf8(void) { setlocale(LC_ALL, "C.UTF-8"); }

/* A decision of the caller. */
static void is(int so) {
    if (so)
        n = 1;
}

static int compare(const void *a, const void *b) { return *(const signed char *)a - *(const signed char *)b; }

static int compare_with(const void *a, const void *b, void *argument) { return compare(a, b) * *(int *)argument; }

static void *aligned(void) {
    void *memory;
    return posix_memalign(&memory, 32, length()) ? NULL : memory;
}

/* Wide strings of two characters each. */
static wchar_t v[8], u[8];

static void two_wide(void) {
    two();
    for (int i = 0; i < 2; i++)
        v[i] = s[i], u[i] = t[i];
}

static void print(int which, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    switch (which) {
    case 0: vsnprintf(d, sizeof d, format, arguments); break;
    case 1: vsprintf(d, format, arguments); break;
    case 2: __vsnprintf_chk(d, sizeof d, 1, sizeof d, format, arguments); break;
    case 3: __vsprintf_chk(d, 1, sizeof d, format, arguments); break;
    case 4: vasprintf(&end, format, arguments); break;
    case 5: __vasprintf_chk(&end, 1, format, arguments); break;
    }
    va_end(arguments);
}

static void scan(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsscanf(s, format, arguments);
    va_end(arguments);
}

static const struct option LONG[] = {{"all", no_argument, 0, 'a'}, {"b", required_argument, 0, 'b'}, {0, 0, 0, 0}};
static char *words[] = {"program", s, t, NULL};

static void wide(void) {
    static wchar_t w[8];
    mbstowcs(w, s, 8);
}

/* Long jumps with a value. */
static jmp_buf place;

static void jumped(void jump(jmp_buf, int), int value) {
    tine_assume(value >= 0 && value < 5);
    int came = setjmp(place);
    if (!came)
        jump(place, value);
    is(came == 3);
}

/* A time between 1970 and 2106, which covers every month. */
static time_t *moment(void) {
    static time_t value;
    value = (unsigned)number();
    return &value;
}

/* A day of some year. */
static struct tm *date(void) {
    static struct tm value;
    value.tm_year = 124;
    value.tm_mon = (int)length();
    value.tm_mday = 3;
    return &value;
}

static size_t three = 3;
static char *const OPTIONS[] = {"a", "b", NULL};
static wctype_t class;
static const wchar_t *wide_end = v;

#define ROWS \
    ROW(strlen, four(); n = strlen(s)) \
    ROW(strnlen, four(); n = strnlen(s, 3)) \
    ROW(strcmp, two(); is(strcmp(s, t))) \
    ROW(strncmp, two(); is(strncmp(s, t, 2))) \
    ROW(strcasecmp, two(); is(strcasecmp(s, t))) \
    ROW(strncasecmp, two(); is(strncasecmp(s, t, 2))) \
    ROW(strcoll, two(); n = strcoll(s, t)) \
    ROW(strxfrm, four(); n = strxfrm(d, s, 8)) \
    ROW(strcpy, four(); strcpy(d, s)) \
    ROW(strncpy, four(); strncpy(d, s, 8)) \
    ROW(stpcpy, four(); stpcpy(d, s)) \
    ROW(stpncpy, four(); stpncpy(d, s, 8)) \
    ROW(strlcpy, four(); strlcpy(d, s, 3)) \
    ROW(strlcat, two(); strlcpy(d, s, 8); strlcat(d, t, 4)) \
    ROW(strcat, two(); strcpy(d, s); strcat(d, t)) \
    ROW(strncat, two(); strcpy(d, s); strncat(d, t, 1)) \
    ROW(strchr, four(); end = strchr(s, 'x')) \
    ROW(strchrnul, four(); end = strchrnul(s, 'x')) \
    ROW(strrchr, four(); end = strrchr(s, 'x')) \
    ROW(index, four(); end = index(s, 'x')) \
    ROW(rindex, four(); end = rindex(s, 'x')) \
    ROW(strspn, two(); n = strspn(s, t)) \
    ROW(strcspn, two(); n = strcspn(s, t)) \
    ROW(strpbrk, two(); end = strpbrk(s, t)) \
    ROW(strstr, two(); end = strstr(s, t)) \
    ROW(strcasestr, two(); end = strcasestr(s, t)) \
    ROW(strsep, four(); end = s; strsep(&end, ",")) \
    ROW(strtok, four(); end = strtok(s, ","); end = strtok(NULL, ",")) \
    ROW(strtok_r, four(); strtok_r(s, ",", &end); strtok_r(NULL, ",", &end)) \
    ROW(__strtok_r, four(); __strtok_r(s, ",", &end)) \
    ROW(strdup, four(); free(strdup(s))) \
    ROW(__strdup, four(); free(__strdup(s))) \
    ROW(strndup, four(); free(strndup(s, 2))) \
    ROW(memcmp, two(); is(memcmp(s, t, 2))) \
    ROW(bcmp, two(); is(bcmp(s, t, 2))) \
    ROW(memchr, four(); end = memchr(s, 'x', 4)) \
    ROW(memrchr, four(); end = memrchr(s, 'x', 4)) \
    ROW(rawmemchr, four(); end = rawmemchr(s, 0)) \
    ROW(memmem, two(); end = memmem(s, 2, t, 1)) \
    ROW(memccpy, four(); end = memccpy(d, s, 'x', 4)) \
    ROW(memcpy, memcpy(d, "abcd", length())) \
    ROW(memmove, memmove(d + 1, d, length())) \
    ROW(mempcpy, mempcpy(d, "abcd", length())) \
    ROW(memset, memset(d, 7, length())) \
    ROW(bcopy, bcopy("abcd", d, length())) \
    ROW(bzero, bzero(d, length())) \
    ROW(explicit_bzero, explicit_bzero(d, length())) \
    ROW(__memcpy_chk, __memcpy_chk(d, "abcd", length(), sizeof d)) \
    ROW(__memmove_chk, __memmove_chk(d + 1, d, length(), sizeof d - 1)) \
    ROW(__mempcpy_chk, __mempcpy_chk(d, "abcd", length(), sizeof d)) \
    ROW(__memset_chk, __memset_chk(d, 7, length(), sizeof d)) \
    ROW(__stpcpy_chk, four(); __stpcpy_chk(d, s, sizeof d)) \
    ROW(__stpncpy_chk, four(); __stpncpy_chk(d, s, 8, sizeof d)) \
    ROW(__strcat_chk, two(); strcpy(d, s); __strcat_chk(d, t, sizeof d)) \
    ROW(__strcpy_chk, four(); __strcpy_chk(d, s, sizeof d)) \
    ROW(__strncat_chk, two(); strcpy(d, s); __strncat_chk(d, t, 1, sizeof d)) \
    ROW(__strncpy_chk, four(); __strncpy_chk(d, s, 8, sizeof d)) \
    ROW(atoi, four(); n = atoi(s)) \
    ROW(atol, four(); n = atol(s)) \
    ROW(atoll, four(); n = atoll(s)) \
    ROW(atof, four(); is(atof(s) > 2)) \
    ROW(strtol, four(); n = strtol(s, &end, 0)) \
    ROW(strtoll, four(); n = strtoll(s, &end, 10)) \
    ROW(strtoul, four(); n = strtoul(s, &end, 16)) \
    ROW(strtoull, four(); n = strtoull(s, &end, 36)) \
    ROW(strtoimax, four(); n = strtoimax(s, &end, 8)) \
    ROW(strtoumax, four(); n = strtoumax(s, &end, 10)) \
    ROW(__isoc23_strtol, four(); n = __isoc23_strtol(s, &end, 0)) \
    ROW(__isoc23_strtoll, four(); n = __isoc23_strtoll(s, &end, 2)) \
    ROW(__isoc23_strtoul, four(); n = __isoc23_strtoul(s, &end, 0)) \
    ROW(__isoc23_strtoull, four(); n = __isoc23_strtoull(s, &end, 10)) \
    ROW(__isoc23_strtoimax, four(); n = __isoc23_strtoimax(s, &end, 10)) \
    ROW(__isoc23_strtoumax, four(); n = __isoc23_strtoumax(s, &end, 10)) \
    ROW(strtod, four(); is(strtod(s, &end) > 2)) \
    ROW(strtof, four(); is(strtof(s, &end) > 2)) \
    ROW(strtold, four(); is(strtold(s, &end) > 2)) \
    ROW(div, is(div(number(), 7).rem == 3)) \
    ROW(ldiv, is(ldiv(number(), 7).rem == 3)) \
    ROW(lldiv, is(lldiv(number(), 7).quot == 3)) \
    ROW(bsearch, four(); end = bsearch("x", s, 4, 1, compare)) \
    ROW(qsort, four(); qsort(s, 4, 1, compare)) \
    ROW(qsort_r, int sign = -1; four(); qsort_r(s, 4, 1, compare_with, &sign)) \
    ROW(malloc, free(malloc(length()))) \
    ROW(realloc, free(realloc(malloc(2), 1 + 8 * length()))) \
    ROW(reallocarray, free(reallocarray(NULL, length() + 1, 8))) \
    ROW(aligned_alloc, free(aligned_alloc(64, length()))) \
    ROW(memalign, free(memalign(64, length()))) \
    ROW(posix_memalign, free(aligned())) \
    ROW(calloc, free(calloc(length(), 2))) \
    ROW(free, free(number() ? malloc(3) : NULL)) \
    ROW(snprintf, n = snprintf(d, 8, "%d %c", number(), 'x')) \
    ROW(sprintf, four(); n = sprintf(d, "%s|%3s", s, "x")) \
    ROW(vsnprintf, print(0, "%x", number())) \
    ROW(vsprintf, four(); print(1, "%.2s", s)) \
    ROW(__snprintf_chk, n = __snprintf_chk(d, 8, 1, sizeof d, "%u", number())) \
    ROW(__sprintf_chk, four(); n = __sprintf_chk(d, 1, sizeof d, "%s", s)) \
    ROW(__vsnprintf_chk, print(2, "%d", number())) \
    ROW(__vsprintf_chk, four(); print(3, "%s", s)) \
    ROW(asprintf, four(); n = asprintf(&end, "%s", s); free(end)) \
    ROW(vasprintf, four(); print(4, "%.2s", s); free(end)) \
    ROW(__asprintf_chk, four(); n = __asprintf_chk(&end, 1, "%s", s); free(end)) \
    ROW(__vasprintf_chk, four(); print(5, "%s", s); free(end)) \
    ROW(sscanf, int k; four(); n = sscanf(s, "%d%1s", &k, d)) \
    ROW(vsscanf, int k; four(); scan("%x", &k)) \
    ROW(getopt, two(); n = getopt(3, words, "ab:"); n = getopt(3, words, "ab:")) \
    ROW(getopt_long, two(); n = getopt_long(3, words, "ab:", LONG, NULL)) \
    ROW(getopt_long_only, two(); n = getopt_long_only(3, words, "ab:", LONG, NULL)) \
    ROW(setlocale, four(); end = setlocale(LC_ALL, s)) \
    ROW(mblen, four(); n = mblen(s, 4)) \
    ROW(mbrlen, four(); n = mbrlen(s, 4, NULL)) \
    ROW(mbrtowc, wchar_t w; four(); n = mbrtowc(&w, s, 4, NULL)) \
    ROW(mbtowc, wchar_t w; four(); n = mbtowc(&w, s, 4)) \
    ROW(mbstowcs, four(); wide()) \
    ROW(mbsinit, mbstate_t state = {0}; n = mbsinit(number() ? &state : NULL)) \
    ROW(wcrtomb, n = wcrtomb(d, number(), NULL)) \
    ROW(wctomb, n = wctomb(d, number())) \
    ROW(wctob, n = wctob(number())) \
    ROW(btowc, n = btowc(number())) \
    ROW(wcwidth, n = wcwidth(number())) \
    ROW(wcscmp, two_wide(); n = wcscmp(v, u)) \
    ROW(wcsncmp, two_wide(); n = wcsncmp(v, u, 2)) \
    ROW(wcscoll, two_wide(); n = wcscoll(v, u)) \
    ROW(wcscasecmp, two_wide(); n = wcscasecmp(v, u)) \
    ROW(wcsncasecmp, two_wide(); n = wcsncasecmp(v, u, 1)) \
    ROW(wctrans, four(); is(wctrans(s) != 0)) \
    ROW(towctrans, is(towctrans(number(), wctrans("toupper")) == 'X')) \
    ROW(wcschr, two_wide(); n = wcschr(v, L'x') != NULL) \
    ROW(wcsrchr, two_wide(); n = wcsrchr(v, L'x') != NULL) \
    ROW(wcscpy, two_wide(); wcscpy(v, u)) \
    ROW(wcsncpy, two_wide(); wcsncpy(v, u, 3)) \
    ROW(wcscat, two_wide(); wcscat(v, u)) \
    ROW(wcsstr, two_wide(); n = wcsstr(v, u) != NULL) \
    ROW(wmemcmp, two_wide(); n = wmemcmp(v, u, 2)) \
    ROW(wmemcpy, two_wide(); wmemcpy(v, u, 2); is(v[1] == 'x')) \
    ROW(wmemset, wmemset(v, number(), 2); is(v[1] == 'x')) \
    ROW(wcslen, wchar_t w[2] = {number(), 0}; n = wcslen(w)) \
    ROW(wmemmove, two_wide(); wmemmove(v, u, 2); is(v[1] == 'x')) \
    ROW(wmemchr, two_wide(); n = wmemchr(v, L'x', 2) != NULL) \
    ROW(wcsncat, two_wide(); wcsncat(v, u, 1)) \
    ROW(wcsnlen, two_wide(); n = wcsnlen(v, 2)) \
    ROW(wcsdup, two_wide(); free(wcsdup(v))) \
    ROW(wcswidth, two_wide(); n = wcswidth(v, 2)) \
    ROW(mbsrtowcs, const char *from = s; four(); n = mbsrtowcs(v, &from, 4, NULL)) \
    ROW(mbsnrtowcs, const char *from = s; four(); n = mbsnrtowcs(v, &from, 3, 4, NULL)) \
    ROW(wcsnrtombs, two_wide(); n = wcsnrtombs(d, &wide_end, 2, 4, NULL)) \
    ROW(utf8_mbrtowc, wchar_t w = 0; utf8(); four(); n = mbrtowc(&w, s, 4, NULL); is(w == 0xe9)) \
    ROW(utf8_mbrlen, mbstate_t state = {0}; utf8(); two(); n = mbrlen(s, 1, &state); n = mbrlen(s + 1, 1, &state)) \
    ROW(utf8_mbsrtowcs, const char *from = s; utf8(); four(); n = mbsrtowcs(v, &from, 4, NULL)) \
    ROW(utf8_wcrtomb, utf8(); n = wcrtomb(d, number(), NULL); is(d[0] == 'x')) \
    ROW(utf8_wcsrtombs, utf8(); two_wide(); n = wcsrtombs(d, &wide_end, 4, NULL)) \
    ROW(wcsrtombs, two_wide(); n = wcsrtombs(d, &wide_end, 4, NULL)) \
    ROW(wcstombs, two_wide(); n = wcstombs(d, v, 4)) \
    ROW(wctype, four(); class = wctype(s)) \
    ROW(iswctype, is(iswctype(number(), wctype("alpha")))) \
    ROW(getenv, four(); end = getenv(s)) \
    ROW(secure_getenv, four(); end = secure_getenv(s)) \
    ROW(setenv, two(); n = setenv("TINE", s, 1); is(getenv("TINE")[0] == 'x')) \
    ROW(putenv, static char text[] = "TINE=12"; two(); text[5] = s[0]; putenv(text); is(getenv("TINE")[0] == 'x')) \
    ROW(unsetenv, two(); n = unsetenv(s)) \
    ROW(clearenv, four(); clearenv(); is(s[0] == 'x' && !getenv("PATH"))) \
    ROW(longjmp, jumped(longjmp, number())) \
    ROW(_longjmp, jumped(_longjmp, number())) \
    ROW(siglongjmp, jumped(siglongjmp, number())) \
    ROW(gmtime, is(gmtime(moment())->tm_mon == 3)) \
    ROW(gmtime_r, struct tm parts; is(gmtime_r(moment(), &parts)->tm_mday == 31)) \
    ROW(localtime, putenv("TZ=UTC"); is(localtime(moment())->tm_hour == 3)) \
    ROW(localtime_r, struct tm parts; putenv("TZ=UTC"); is(localtime_r(moment(), &parts)->tm_sec == 31)) \
    ROW(timegm, is(timegm(date()) == 1714694400)) \
    ROW(mktime, putenv("TZ=UTC"); is(mktime(date()) == 1714694400)) \
    ROW(strftime, n = strftime(d, sizeof d, "%b %d", date())) \
    ROW(asctime, end = asctime(date())) \
    ROW(asctime_r, end = asctime_r(date(), d)) \
    ROW(ctime, static time_t day; day = length() * 86400; putenv("TZ=UTC"); end = ctime(&day)) \
    ROW(ctime_r, static time_t day; day = length() * 86400; putenv("TZ=UTC"); end = ctime_r(&day, d)) \
    ROW(difftime, is(difftime(*moment(), 10) > 0)) \
    ROW(lround, is(lround(fraction()) == 3)) \
    ROW(lrint, is(lrint(fraction()) == 3)) \
    ROW(llround, is(llround(fraction()) == 3)) \
    ROW(llrint, is(llrint(fraction()) == 3)) \
    ROW(__isnan, is(__isnan(fraction()) == 1)) \
    ROW(__isinf, is(__isinf(fraction()) == -1)) \
    ROW(__finite, is(__finite(fraction()) == 0)) \
    ROW(__fpclassify, is(__fpclassify(fraction()) == FP_ZERO)) \
    ROW(__signbit, is(__signbit(fraction()) == 1)) \
    ROW(fdim, is(fdim(fraction(), 2) == 5)) \
    ROW(frexp, int power; is(frexp(fraction(), &power) == 0.75f && power == 4)) \
    ROW(lroundf, is(lroundf(fraction()) == 3)) \
    ROW(lrintf, is(lrintf(fraction()) == 3)) \
    ROW(llroundf, is(llroundf(fraction()) == 3)) \
    ROW(llrintf, is(llrintf(fraction()) == 3)) \
    ROW(__isnanf, is(__isnanf(fraction()) == 1)) \
    ROW(__isinff, is(__isinff(fraction()) == -1)) \
    ROW(__finitef, is(__finitef(fraction()) == 0)) \
    ROW(__fpclassifyf, is(__fpclassifyf(fraction()) == FP_SUBNORMAL)) \
    ROW(__signbitf, is(__signbitf(fraction()) == 1)) \
    ROW(fdimf, is(fdimf(fraction(), 2) == 5)) \
    ROW(frexpf, int power; is(frexpf(fraction(), &power) == 0.75f && power == 4)) \
    ROW(imaxabs, is(imaxabs(number()) == 7)) \
    ROW(imaxdiv, is(imaxdiv(number(), 7).rem == 3)) \
    ROW(basename, four(); end = basename(s)) \
    ROW(__xpg_basename, four(); end = __xpg_basename(s)) \
    ROW(dirname, four(); end = dirname(s)) \
    ROW(fnmatch, four(); n = fnmatch("a*[b-d]?", s, FNM_PERIOD)) \
    ROW(getsubopt, four(); char *at = s; n = getsubopt(&at, OPTIONS, &end)) \
    ROW(lfind, four(); end = lfind("x", s, &three, 1, compare)) \
    ROW(lsearch, four(); end = lsearch("x", s, &three, 1, compare)) \
    ROW(__explicit_bzero_chk, __explicit_bzero_chk(d, length(), sizeof d)) \
    ROW(towlower, is(towlower(number()) == 'a')) \
    ROW(towupper, is(towupper(number()) == 'A')) \
    CLASS(isw, alnum) CLASS(isw, alpha) CLASS(isw, blank) CLASS(isw, cntrl) CLASS(isw, digit) CLASS(isw, graph) \
    CLASS(isw, lower) CLASS(isw, print) CLASS(isw, punct) CLASS(isw, space) CLASS(isw, upper) CLASS(isw, xdigit) \
    CLASS(is, alnum) CLASS(is, alpha) CLASS(is, ascii) CLASS(is, blank) CLASS(is, cntrl) CLASS(is, digit) \
    CLASS(is, graph) CLASS(is, lower) CLASS(is, print) CLASS(is, punct) CLASS(is, space) CLASS(is, upper) \
    CLASS(is, xdigit) CLASS(to, lower) CLASS(to, upper) CLASS(to, ascii) CLASS(_to, lower) CLASS(_to, upper)

/* Functions of a character that make no decisions. */
#define CLASS(prefix, name) ROW(prefix##name, four(); is(prefix##name((unsigned char)s[0]) != (#prefix[0] == 'i' ? 0 : '5')))

#define DEFINE(name, ...) \
    static void run_##name(void) { __VA_ARGS__; }

#define ROW DEFINE
ROWS
#undef ROW

static const struct {
    const char *name;
    void (*run)(void);
} TABLE[] = {
#define ROW(name, ...) {#name, run_##name},
    ROWS
};

int main(int argc, char **argv) {
    if (argc < 2) {
        for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
            puts(TABLE[k].name);
        return 0;
    }
    for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (strcmp(TABLE[k].name, argv[1]) == 0)
            TABLE[k].run();
    return 0;
}
