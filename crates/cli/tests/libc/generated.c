/* Formats, patterns and command lines generated from all their parts, valid or not. */
#include "compare.h"

#include <fnmatch.h>
#include <getopt.h>
#include <locale.h>
#include <wchar.h>

int model_snprintf(char *, size_t, const char *, ...);
int model_sscanf(const char *, const char *, ...);
int model_fnmatch(const char *, const char *, int);
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);

#define LENGTH 160
#define N(array) (sizeof(array) / sizeof *(array))

static void add(char *to, const char *text) { strncat(to, text, LENGTH - 1 - strlen(to)); }

static const char *one_of(const char *const *strings, unsigned n) { return strings[below(n)]; }

#define ONE_OF(...) one_of((const char *const[]){__VA_ARGS__}, N(((const char *const[]){__VA_ARGS__})))

/* printf: integers and pointers are passed in general registers, floats in others, so each conversion takes the next of its kind. */

#define SLOTS 8

struct print {
    char format[LENGTH];
    long slots[SLOTS];
    double floats[4];
    unsigned n_slots, n_floats;
};

static const char *const printed_text[] = {"", "abc", "\xff\xc3\xa9", "long text", "%d"};
static const wchar_t *const wide_text[] = {L"", L"w", L"\xe9x", L"\x20ac\xd800"};

static long any_long(void) {
    static const long edges[] = {0, 1, -1, 7, 8, 9, 10, 99, 127, 128, -128, 255, 256, 32767, -32768, 65535, 2147483647, -2147483648l, 4294967295l, ~0ul >> 1, 1l << 63};
    return below(3) ? edges[below(N(edges))] : (long)below(1000000) - 500000;
}

static double any_double(void) {
    static const double edges[] = {0, -0.0, 1, -1, 0.5, 1.5, 2.5, 9.5, 99.95, 1e5, 1e6, 123456789, 1e15, 1e16, 1e17, 1e22, 1e300, 1e-5, 1e-4, 1e-300, 0.1, __builtin_inf(), -__builtin_inf(), 5e-324};
    return below(3) ? edges[below(N(edges))] : ((double)below(1000000) - 500000) / (double)(1 + below(1000));
}

static void add_directive(struct print *print) {
    char text[24];
    add(print->format, "%");
    for (unsigned i = below(3); i > 0; i--)
        add(print->format, ONE_OF("-", "+", " ", "#", "0", "'"));
    switch (below(5)) {
    case 0:
        snprintf(text, sizeof text, "%u", below(20));
        add(print->format, text);
        break;
    case 1:
        if (print->n_slots < SLOTS - 2) {
            add(print->format, "*");
            print->slots[print->n_slots++] = (long)below(20) - 10;
        }
    }
    switch (below(6)) {
    case 0:
        snprintf(text, sizeof text, ".%u", below(20));
        add(print->format, text);
        break;
    case 1:
        add(print->format, ".");
        break;
    case 2:
        if (print->n_slots < SLOTS - 1) {
            add(print->format, ".*");
            print->slots[print->n_slots++] = (long)below(16) - 6;
        }
    }
    if (print->n_slots >= SLOTS)
        return add(print->format, "%");
    switch (below(8)) {
    case 0:
        add(print->format, below(6) ? "s" : below(2) ? "ls" : "S");
        if (print->format[strlen(print->format) - 2] == 'l' || print->format[strlen(print->format) - 1] == 'S')
            print->slots[print->n_slots++] = (long)wide_text[below(N(wide_text))];
        else
            print->slots[print->n_slots++] = (long)printed_text[below(N(printed_text))];
        break;
    case 1:
        if (print->n_floats < N(print->floats)) {
            add(print->format, ONE_OF("f", "e", "g", "F", "E", "G", "a", "A", "lf"));
            print->floats[print->n_floats++] = any_double();
        } else {
            add(print->format, "%");
        }
        break;
    case 2:
        add(print->format, ONE_OF("c", "c", "p", "lc", "C"));
        print->slots[print->n_slots++] = below(3) ? 32 + below(96) : below(256);
        break;
    case 3:
        add(print->format, ONE_OF("%", "m"));
        break;
    default:
        add(print->format, ONE_OF("", "hh", "h", "l", "ll", "j", "z", "t", "q", "", ""));
        add(print->format, ONE_OF("d", "i", "u", "x", "X", "o"));
        print->slots[print->n_slots++] = any_long();
    }
}

static struct print any_print(void) {
    struct print print = {0};
    for (unsigned i = 1 + below(3); i > 0; i--) {
        add(print.format, ONE_OF("", "", "<", "a ", "%%", "\xc3\xa9"));
        add_directive(&print);
    }
    add(print.format, ONE_OF("", ">", "\n"));
    return print;
}

/* Positions: `%2$…`, each argument a long. */
static struct print any_positions(void) {
    struct print print = {0};
    char text[24];
    print.n_slots = 1 + below(4);
    for (unsigned i = 0; i < print.n_slots; i++)
        print.slots[i] = (long)below(40) - 20;
    /* Each argument is used, so that its type is known. */
    for (unsigned i = 0; i < print.n_slots; i++) {
        unsigned at = i + 1, width = 1 + below(print.n_slots);
        snprintf(text, sizeof text, below(3) ? "%%%u$ld," : "%%%u$lx|", at);
        add(print.format, text);
        (void)width;
    }
    for (unsigned i = below(3); i > 0; i--) {
        snprintf(text, sizeof text, "%%%u$%s%ld", 1 + below(print.n_slots), ONE_OF("", "0", "-", "+"), (long)below(9));
        add(print.format, text);
        add(print.format, "ld;");
    }
    return print;
}

static int printed(int function(char *, size_t, const char *, ...), char *to, size_t n, const struct print *print) {
    const long *s = print->slots;
    const double *f = print->floats;
    return function(to, n, print->format, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], f[0], f[1], f[2], f[3]);
}

/* scanf: up to four places, 24 bytes apart. */

static void any_scan(char *format, char *input) {
    static const char *const numbers[] = {"0", "0x", "0X", "0xg", "0x1f", "-0x", "+0x", "07", "08", "-", "+", "-5", "+7", "12", "2147483648", "99999999999999999999", "0b1", "- 1", "1e", "1e+", ".5", "inf", "nan"};
    format[0] = input[0] = 0;
    for (unsigned i = 1 + below(4), places = 0; i > 0 && places < 4; i--) {
        if (below(4) == 0) {
            const char *literal = ONE_OF(" ", ",", "a", "%%", "\n", "x");
            add(format, literal);
            add(input, below(3) ? literal[0] == '%' ? "%" : literal : ONE_OF(" ", "  ", "", "b"));
            continue;
        }
        add(format, "%");
        places++;
        if (below(8) == 0)
            add(format, "*");
        if (below(3) == 0)
            add(format, ONE_OF("1", "2", "3", "5", "0", "9"));
        switch (below(4)) {
        case 0:
            add(format, ONE_OF("s", "c", "s"));
            add(input, ONE_OF("ab", " cd", "e", "", "\xff"));
            break;
        case 1:
            add(format, ONE_OF("[a-c]", "[^,]", "[]x]", "[^]x]", "[a-]", "[-a]", "[0-9a-f]", "[^a-c]", "[c-a]", "[a-b-d]", "["));
            add(input, ONE_OF("abc", "x]", ",", "-a", "f0", ""));
            break;
        case 2:
            add(format, "n");
            break;
        default:
            add(format, ONE_OF("", "hh", "h", "l", "ll", "j", "z", "t", ""));
            add(format, ONE_OF("d", "i", "u", "x", "X", "o", "i", "x"));
            add(input, ONE_OF("", "", " ", "\t"));
            add(input, numbers[below(N(numbers))]);
        }
        if (below(6) == 0)
            add(input, ONE_OF(" ", "x", "0", ","));
    }
}

/* The library may restore an older errno when it meets the end of its input. */
#define SCANNED(call) (count = (call), errno = 0, count)

/* fnmatch: brackets with all possible contents. */

static void any_pattern(char *pattern) {
    pattern[0] = 0;
    for (unsigned i = below(5) + 1; i > 0; i--) {
        if (below(2)) {
            add(pattern, ONE_OF("a", "b", "*", "?", ".", "/", "\\", "\\a", "-", "]", "!", "A", "**"));
            continue;
        }
        add(pattern, ONE_OF("[", "[!", "[^", "["));
        for (unsigned j = below(4); j > 0; j--)
            add(pattern, ONE_OF("a", "b", "-", "a-b", "b-a", "]", "[", "!", "\\", "\\]", "\\-", ".", "/", "a-", "-a", "A", "[:alpha:]", "[=a=]", "[.-.]", "[:no:]", "[:", "*"));
        add(pattern, ONE_OF("]", "]", "]", ""));
    }
}

/* getopt: with `W;`, and its output to stderr. */

#define WORDS 5
static int flag;
static const struct option options[] = {{"all", no_argument, NULL, 'a'},          {"alter", required_argument, NULL, 1000}, {"b", optional_argument, NULL, 'b'},
                                        {"set", no_argument, &flag, 7},           {"setting", optional_argument, NULL, 's'}, {"settings", no_argument, NULL, 't'},
                                        {"W", required_argument, NULL, 'w'},      {NULL, 0, NULL, 0}};

static void any_words(char text[WORDS][16]) {
    for (unsigned i = 0; i < WORDS; i++)
        strcpy(text[i], ONE_OF("-W", "-Wall", "-Wset", "-Wal", "-Walter", "-Walter=x", "-W=", "-Wzz", "-aW", "-aWall", "all", "set", "zz", "b=1", "alter", "--", "-", "-a", "-b", "-bx", "-c", "-z", "--all", "--al", "--a",
                               "--all=1", "--alter", "--alter=", "--set", "--se", "--W", "--=", "-;", "-:", "", "x", "-all", "-se", "-b=2", "--settings"));
}

typedef int getopt_function(int, char *const *, const char *, const struct option *, int *);

static int all_options(getopt_function *function, int n, const char *letters, int reports, char text[WORDS][16], char *to) {
    char *words[WORDS + 1], message[400] = "";
    FILE *before = stderr;
    int sum = 0;
    for (int i = 0; i <= WORDS; i++)
        words[i] = i < n ? text[i] : NULL;
    stderr = fmemopen(message, sizeof message - 1, "w");
    setbuf(stderr, NULL);
    optind = 0, opterr = reports, flag = 0;
    for (int calls = 0; calls < 12; calls++) {
        int index = -1;
        optopt = 0;
        int option = function(n, words, letters, options, &index);
        sum = sum * 31 + option + 3 * optind + 5 * index + 7 * flag + 11 * (option == '?' ? optopt : 0);
        sum = sum * 31 + (optarg ? (int)(optarg - text[0]) : -9);
        if (option == -1)
            break;
    }
    fclose(stderr);
    stderr = before;
    for (int i = 0; i < n; i++)
        sum = sum * 31 + (int)(words[i] - text[0]);
    for (const char *at = message; *at; at++)
        sum = sum * 31 + *at;
    strncpy(to, message, 3 * SIZE);
    return sum;
}

static void joined(char *to, char text[WORDS][16], int n) {
    to[0] = 0;
    for (int i = 0; i < n; i++)
        add(to, text[i]), add(to, " ");
}

void compare_generated(void) {
    char s[LENGTH] = "", t[LENGTH] = "", words[WORDS][16];
    size_t n;
    int flags, count;
    struct print print;
#define PRINT print = any_print(), strcpy(s, print.format), n = below(4) ? sizeof ours : below(SIZE)
#define POSITIONS print = any_positions(), strcpy(s, print.format), n = sizeof ours
    for (unsigned i = 0; i < 2; i++) {
        setlocale(LC_ALL, i ? "C.UTF-8" : "C");
        COMPARE(snprintf, PRINT, printed(model_snprintf, ours, n, &print), printed(snprintf, theirs, n, &print));
        COMPARE(snprintf, POSITIONS, printed(model_snprintf, ours, n, &print), printed(snprintf, theirs, n, &print));
        COMPARE(sscanf, any_scan(s, t), SCANNED(model_sscanf(t, s, ours, ours + 24, ours + 48, ours + 72)), SCANNED(sscanf(t, s, theirs, theirs + 24, theirs + 48, theirs + 72)));
        COMPARE(fnmatch, (any_pattern(s), any_text(t, 6, "aAbB/.-][\\!"), flags = (int)(below(3) ? 0 : below(32))), model_fnmatch(s, t, flags), fnmatch(s, t, flags));
        /* A string that resembles the pattern. */
        COMPARE(fnmatch, (any_pattern(s), strcpy(t, s), t[below(8)] = 0, flags = (int)(below(3) ? 0 : below(32))), model_fnmatch(s, t, flags), fnmatch(s, t, flags));
    }
    setlocale(LC_ALL, "C");
#define COMMAND                                                                                                                           \
    any_words(words), count = (int)below(WORDS) + 1, joined(s, words, count), strcpy(t, ONE_OF("W;ab:c::", "W;", ":W;b:", "+W;a", "-W;ab::", "ab:c", "aW", "aW:", ":b:", "")), flags = (int)below(2)
    COMPARE(getopt_long, COMMAND, all_options(model_getopt_long, count, t, flags, words, ours), all_options(getopt_long, count, t, flags, words, theirs));
    COMPARE(getopt_long_only, COMMAND, all_options(model_getopt_long_only, count, t, flags, words, ours), all_options(getopt_long_only, count, t, flags, words, theirs));
}
