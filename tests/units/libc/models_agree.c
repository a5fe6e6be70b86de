// tine-test: program
/* Corners in which models once differed from the C library. */
#include <assert.h>
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    unsigned v = 9;
    char c = '-', set[8] = "";
    assert(sscanf("0x", "%x%c", &v, &c) == 1 && v == 0 && c == '-');
    assert(sscanf("0xg", "%i%c", &v, &c) == 2 && c == 'g');
    assert(sscanf("0xg", "%1x%c", &v, &c) == 2 && c == 'x');
    assert(sscanf("-a", "%[c-a]", set) == 1 && strcmp(set, "-a") == 0);
    assert(sscanf("", "%[a", set) == 0);
    assert(fnmatch("[a-", "[a-", 0) == FNM_NOMATCH);
    assert(fnmatch("[ab", "[ab", 0) == 0);
    char *words[] = {"p", "-W", "name", "-Wother=7", "x", NULL};
    static const struct option options[] = {{"name", no_argument, 0, 'n'}, {"other", required_argument, 0, 'o'}, {0}};
    assert(getopt_long(5, words, "W;", options, 0) == 'n');
    assert(getopt_long(5, words, "W;", options, 0) == 'o' && strcmp(optarg, "7") == 0);
    assert(getopt_long(5, words, "W;", options, 0) == -1 && optind == 4);
    return 0;
}
