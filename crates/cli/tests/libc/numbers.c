/* Numbers of <stdlib.h>. */
#include "compare.h"

#include <inttypes.h>

long model_strtol(const char *, char **, int);
long long model_strtoll(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
intmax_t model_strtoimax(const char *, char **, int);
uintmax_t model_strtoumax(const char *, char **, int);
int model_atoi(const char *);
long model_atol(const char *);
long long model_atoll(const char *);
div_t model_div(int, int);
ldiv_t model_ldiv(long, long);
lldiv_t model_lldiv(long long, long long);
imaxdiv_t model_imaxdiv(intmax_t, intmax_t);
intmax_t model_imaxabs(intmax_t);

static void any_number(char *to) {
    static const char *const edges[] = {
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "0x", "0xg",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616", "+-1", "- 1",
        "0x7fffffffffffffff", "0xffffffffffffffff", "0x10000000000000000", "2147483648", "-2147483649", "0", "-0", "00",
    };
    unsigned kind = below(8);
    if (kind == 0)
        strcpy(to, edges[below(sizeof edges / sizeof *edges)]);
    else if (kind < 4)
        any_text(to, SIZE - 1, "0123456789");
    else
        any_text(to, SIZE - 1, " \t\v+-0017xX9afzZ.");
}

static int any_base(void) {
    static const int bases[] = {0, 0, 10, 10, 16, 8, 2, 36, 1, -1, 37};
    return bases[below(sizeof bases / sizeof *bases)];
}

#define SET any_number(s), base = any_base(), p = (int)below(200) - 100, q = (int)below(20) - 30

void compare_numbers(void) {
    char s[SIZE + 8] = "", t[1] = "";
    int base, p, q;
    COMPARE(strtol, SET, model_strtol(s, (char **)ours, base), strtol(s, (char **)theirs, base));
    COMPARE(strtoll, SET, model_strtoll(s, (char **)ours, base), strtoll(s, (char **)theirs, base));
    COMPARE(strtoul, SET, model_strtoul(s, (char **)ours, base), strtoul(s, (char **)theirs, base));
    COMPARE(strtoull, SET, model_strtoull(s, (char **)ours, base), strtoull(s, (char **)theirs, base));
    COMPARE(strtoimax, SET, model_strtoimax(s, (char **)ours, base), strtoimax(s, (char **)theirs, base));
    COMPARE(strtoumax, SET, model_strtoumax(s, (char **)ours, base), strtoumax(s, (char **)theirs, base));
    COMPARE(atoi, SET, model_atoi(s), atoi(s));
    COMPARE(atol, SET, model_atol(s), atol(s));
    COMPARE(atoll, SET, model_atoll(s), atoll(s));
    COMPARE(div, SET, model_div(p, q).quot, div(p, q).quot);
    COMPARE(div, SET, model_div(p, q).rem, div(p, q).rem);
    COMPARE(ldiv, SET, model_ldiv(p, q).quot, ldiv(p, q).quot);
    COMPARE(ldiv, SET, model_ldiv(p, q).rem, ldiv(p, q).rem);
    COMPARE(lldiv, SET, model_lldiv(p, q).quot, lldiv(p, q).quot);
    COMPARE(lldiv, SET, model_lldiv(p, q).rem, lldiv(p, q).rem);
    COMPARE(imaxdiv, SET, model_imaxdiv(p, q).quot, imaxdiv(p, q).quot);
    COMPARE(imaxdiv, SET, model_imaxdiv(p, q).rem, imaxdiv(p, q).rem);
    COMPARE(imaxabs, SET, model_imaxabs(p), imaxabs(p));
}
