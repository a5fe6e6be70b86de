/* Conversion of strings to floats: the same bits, end pointer and errno. */
#include "compare.h"

double model_strtod(const char *, char **);
float model_strtof(const char *, char **);
long double model_strtold(const char *, char **);
double model_atof(const char *);

static long long bits(double value) {
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static long long bits_of_float(float value) {
    int bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static long long bits_of_long(long double value) {
    long long words[2] = {0, 0};
    memcpy(words, &value, 10);
    return words[0] ^ words[1] << 7;
}

static void any_float(char *to) {
    static const char *const edges[] = {
        "inf", "-INF", "infinity", "+Infinity", "infinit", "nan", "-NaN", "nan()", "nan(12a_)", "nan(-)", "nan(x",
        "0x1p3", "0x.8", "0x", "0xg", "0x1.8p-3", "0x1p", "0x1p+", "-0x10", "1e309", "1e-400", "-1e999999999999", "0e999999",
        "-0", "0.0", ".", "-.", ".5", "5.", "1e", "1e+", "1e5x", "1.7976931348623157e308", "4.9e-324", "2.2250738585072014e-308",
        "9007199254740993", "0.1", "123456789012345e22", "123456789012345e23", "1234567e10", "1234567e11", "1e-22", "1e-23",
    };
    unsigned kind = below(8);
    if (kind == 0)
        strcpy(to, edges[below(sizeof edges / sizeof *edges)]);
    else if (kind < 4)
        any_text(to, SIZE - 1, "0123456789.");
    else if (kind < 7)
        any_text(to, SIZE - 1, "0017.5eE-+93");
    else
        any_text(to, SIZE - 1, " \t+-.0xXpPeEaAnNiIfF12()");
}

#define SET any_float(s)

void compare_floats(void) {
    char s[SIZE + 32] = "", t[1] = "";
    COMPARE(strtod, SET, bits(model_strtod(s, (char **)ours)), bits(strtod(s, (char **)theirs)));
    COMPARE(strtof, SET, bits_of_float(model_strtof(s, (char **)ours)), bits_of_float(strtof(s, (char **)theirs)));
    COMPARE(strtold, SET, bits_of_long(model_strtold(s, (char **)ours)), bits_of_long(strtold(s, (char **)theirs)));
    COMPARE(atof, SET, bits(model_atof(s)), bits(atof(s)));
}
