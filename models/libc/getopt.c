#include "options.h"

int getopt(int n, char *const *words, const char *letters) {
    static struct scan scan;
    return next_option(&scan, n, (char **)words, letters, NULL, NULL, 0);
}
