#include "options.h"

int getopt_long_only(int n, char *const *words, const char *letters, const struct option *options, int *index) {
    static struct scan scan;
    return next_option(&scan, n, (char **)words, letters, options, index, 1);
}
