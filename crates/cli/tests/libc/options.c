/* getopt and getopt_long: whole command lines, what each call returns and in which order words are left. */
#include "compare.h"

#include <getopt.h>

int model_getopt(int, char *const *, const char *);
int model_getopt_long(int, char *const *, const char *, const struct option *, int *);
int model_getopt_long_only(int, char *const *, const char *, const struct option *, int *);

#define WORDS 6

static int flag;
static const struct option long_options[] = {
    {"all", no_argument, NULL, 'a'},        {"alter", required_argument, NULL, 1000}, {"b", optional_argument, NULL, 'b'},
    {"set", no_argument, &flag, 7},         {"setting", optional_argument, NULL, 's'}, {"settings", no_argument, NULL, 't'},
    {NULL, 0, NULL, 0},
};

/* Resets the parser, and hashes the results of all calls. */
static long all_options(int with_long, int model, int n, const char *letters, char **original) {
    char *words[WORDS + 1];
    long sum = 0;
    for (int i = 0; i <= WORDS; i++)
        words[i] = i < n ? original[i] : NULL;
    optind = 0, opterr = 0, flag = 0;
    for (int calls = 0; calls < 20; calls++) {
        int index = -1, option;
        optopt = 0;
        if (with_long == 2)
            option = model ? model_getopt_long_only(n, words, letters, long_options, &index)
                           : getopt_long_only(n, words, letters, long_options, &index);
        else if (with_long)
            option = model ? model_getopt_long(n, words, letters, long_options, &index)
                           : getopt_long(n, words, letters, long_options, &index);
        else
            option = model ? model_getopt(n, words, letters) : getopt(n, words, letters);
        sum = sum * 31 + option + 3 * optind + 5 * index + 7 * flag + 11 * (option == '?' ? optopt : 0);
        sum = sum * 31 + (optarg ? optarg[0] : 0);
        if (option == -1)
            break;
    }
    for (int i = 0; i < n; i++)
        sum = sum * 31 + words[i][0] * 3 + (long)(words[i] - original[0]);
    return sum;
}

static void any_words(char text[WORDS][SIZE], char **words) {
    static const char *const known[] = {"--", "--all", "--al", "--alt", "--alter=x", "--b=", "--set", "--setting=y", "--se",
                                        "--zz", "-", "--all=1", "-all", "-alt", "-set", "-b=1", "-zz", "--settings", "--b"};
    for (int i = 0; i < WORDS; i++) {
        words[i] = text[i];
        if (below(2))
            any_text(text[i], 3, "-abcz");
        else
            strcpy(text[i], known[below(sizeof known / sizeof *known)]);
    }
}

#define SET                                                                                                            \
    any_words(text, words), n = (int)below(WORDS + 1),                                                                 \
                            letters = (const char *[]){"ab:c::", ":ab:c", "+ab:", "-ab:c::", ""}[below(5)]

void compare_options(void) {
    char text[WORDS][SIZE], *words[WORDS];
    const char *letters = "";
    const char *s = text[1], *t = text[2];
    int n;
    COMPARE(getopt, SET, all_options(0, 1, n, letters, words), all_options(0, 0, n, letters, words));
    COMPARE(getopt_long_only, SET, all_options(2, 1, n, letters, words), all_options(2, 0, n, letters, words));
    COMPARE(getopt_long, SET, all_options(1, 1, n, letters, words), all_options(1, 0, n, letters, words));
}
