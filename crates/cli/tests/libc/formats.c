/* Formatted output and input: random directives with random arguments. */
#include "compare.h"

#include <stdarg.h>

int model_snprintf(char *, size_t, const char *, ...);
int model_sprintf(char *, const char *, ...);
int model_vsnprintf(char *, size_t, const char *, va_list);
int model_vsprintf(char *, const char *, va_list);
int model_sscanf(const char *, const char *, ...);
int model_vsscanf(const char *, const char *, va_list);

int model_asprintf(char **, const char *, ...);
int model_vasprintf(char **, const char *, va_list);
int __asprintf_chk(char **, int, const char *, ...), model___asprintf_chk(char **, int, const char *, ...);
int __vasprintf_chk(char **, int, const char *, va_list), model___vasprintf_chk(char **, int, const char *, va_list);

/* Copies the string to the compared memory, and frees it. */
static int taken(int length, char *text, char *to) {
    if (length >= 0) {
        memcpy(to, text, (size_t)length + 1);
        free(text);
    }
    return length;
}

/* `%`, flags, width, precision, then one of the conversions. */
static void any_directive(char *to, const char *const *conversions, unsigned n) {
    char flags[4], width[4] = "", precision[4] = "";
    any_text(flags, 2, "-+ #0");
    if (below(2))
        any_text(width, 1, "123456789");
    if (below(3) == 0) {
        precision[0] = '.';
        any_text(precision + 1, 1, "0123459");
    }
    snprintf(to, SIZE, "<%%%s%s%s%s>", flags, width, precision, conversions[below(n)]);
}

static long any_integer(void) {
    static const long edges[] = {0, 1, -1, 9, 10, 255, -128, 32768, 2147483647, -2147483648, 4294967295, ~0ul >> 1, 1l << 63};
    return below(2) ? edges[below(sizeof edges / sizeof *edges)] : (long)below(100000) - 50000;
}

static int by_list(int function(char *, size_t, const char *, va_list), char *to, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = function(to, size, format, list);
    va_end(list);
    return result;
}

static int by_list_unbounded(int function(char *, const char *, va_list), char *to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = function(to, format, list);
    va_end(list);
    return result;
}

static int scanned_by_list(int function(const char *, const char *, va_list), const char *from, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = function(from, format, list);
    va_end(list);
    return result;
}

static int made_by_list(int function(char **, const char *, va_list), char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = function(to, format, list);
    va_end(list);
    return result;
}

static int made_by_checked_list(int function(char **, int, const char *, va_list), char **to, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int result = function(to, 1, format, list);
    va_end(list);
    return result;
}

static const char *const integers[] = {"d", "i", "u", "x", "X", "o", "ld", "lx", "lld", "hd", "hhd", "hhu", "zu", "jd", "td", "c", "p", "%", "lo"};
static const char *const floats[] = {"f", "g", "e", "G", "a"};
static const char *const formats[] = {
    "%d,%d", "%2d%3d", "%s %s", "%1s%n", "%[a-c]%d", "%[^,],%d", "%c%c", "%2c%d", "%*d %d", "%i", "%x", "%o", "%u%%%d",
    "a%d", "%ld %n", "%hhd,%hd", " %d ,%s", "%*s%n", "%[]a]%s", "%3[^]]%c", "%lld", "%5i",
};

#define INTEGER any_directive(s, integers, sizeof integers / sizeof *integers), v = any_integer(), n = below(SIZE)
#define FLOAT any_directive(s, floats, sizeof floats / sizeof *floats), v = any_integer(), n = below(SIZE)
#define TEXT any_directive(s, (const char *const[]){"s"}, 1), any_text(t, 8, "abc"), n = below(SIZE)
#define INPUT strcpy(s, formats[below(sizeof formats / sizeof *formats)]), any_text(t, 10, below(2) ? "0123456789 -" : " ,abc-+0179]%")

void compare_formats(void) {
    char s[2 * SIZE] = "", t[SIZE] = "";
    size_t n;
    long v;
    COMPARE(snprintf, INTEGER, model_snprintf(ours, n, s, v), snprintf(theirs, n, s, v));
    COMPARE(snprintf, FLOAT, model_snprintf(ours, n, s, v / 7.0), snprintf(theirs, n, s, v / 7.0));
    COMPARE(snprintf, TEXT, model_snprintf(ours, n, s, t), snprintf(theirs, n, s, t));
    COMPARE(snprintf, TEXT, model_snprintf(ours, n, "%2$s %1$s", s, t), snprintf(theirs, n, "%2$s %1$s", s, t));
    COMPARE(snprintf, TEXT, model_snprintf(ours, n, "%*d%.*s%s", (int)n - 9, 7, 3, t, s),
            snprintf(theirs, n, "%*d%.*s%s", (int)n - 9, 7, 3, t, s));
    COMPARE(sprintf, INTEGER, model_sprintf(ours, s, v), sprintf(theirs, s, v));
    COMPARE(vsnprintf, INTEGER, by_list(model_vsnprintf, ours, n, s, v), by_list(vsnprintf, theirs, n, s, v));
    COMPARE(vsprintf, INTEGER, by_list_unbounded(model_vsprintf, ours, s, v), by_list_unbounded(vsprintf, theirs, s, v));
    char *made = NULL;
    int length;
#define MADE(call, to) (length = (call), taken(length, made, to))
    COMPARE(asprintf, INTEGER, MADE(model_asprintf(&made, s, v), ours), MADE(asprintf(&made, s, v), theirs));
    COMPARE(vasprintf, INTEGER, MADE(made_by_list(model_vasprintf, &made, s, v), ours),
            MADE(made_by_list(vasprintf, &made, s, v), theirs));
    COMPARE(__asprintf_chk, TEXT, MADE(model___asprintf_chk(&made, 1, s, t), ours),
            MADE(__asprintf_chk(&made, 1, s, t), theirs));
    COMPARE(__vasprintf_chk, TEXT, MADE(made_by_checked_list(model___vasprintf_chk, &made, s, t), ours),
            MADE(made_by_checked_list(__vasprintf_chk, &made, s, t), theirs));
    COMPARE(sscanf, INPUT, model_sscanf(t, s, ours, ours + 16, ours + 32), sscanf(t, s, theirs, theirs + 16, theirs + 32));
    COMPARE(vsscanf, INPUT, scanned_by_list(model_vsscanf, t, s, ours, ours + 16, ours + 32),
            scanned_by_list(vsscanf, t, s, theirs, theirs + 16, theirs + 32));
}
